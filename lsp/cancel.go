package lsp

import (
	"context"
	"fmt"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// requestContext ends when its request is cancelled or the connection ends. jsonrpc2 takes the context of a request back as
// soon as its handler returns; a context derived from it with context.WithCancel (as jsonrpc2.CancelHandler does) still asks it
// for Done on a goroutine of its own, and panics when that is late. So this one derives from the connection's, and asks the
// request's only for values: for what jsonrpc2.Async looks for.
type requestContext struct {
	context.Context
	request context.Context
}

// Value implements context.Context.
func (c requestContext) Value(key any) any {
	if v := c.Context.Value(key); v != nil {
		return v
	}
	return c.request.Value(key)
}

// cancelling gives each request a context that $/cancelRequest ends.
func (s *Server) cancelling(next jsonrpc2.Handler) jsonrpc2.Handler {
	var mu sync.Mutex
	running := map[jsonrpc2.ID]context.CancelFunc{}
	return func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
		if req.Method() == protocol.MethodCancelRequest {
			id, err := cancelledID(req)
			mu.Lock()
			defer mu.Unlock()
			if cancel := running[id]; cancel != nil {
				cancel()
			}
			return nil, err
		}
		if !req.IsCall() {
			return next(ctx, req)
		}
		id := req.ID()
		base, cancel := context.WithCancel(jsonrpc2.DetachContext(ctx))
		mu.Lock()
		running[id] = cancel
		mu.Unlock()
		defer func() {
			mu.Lock()
			delete(running, id)
			mu.Unlock()
			cancel()
		}()
		return next(requestContext{base, ctx}, req)
	}
}

func cancelledID(req *jsonrpc2.Request) (jsonrpc2.ID, error) {
	var p protocol.CancelParams
	if err := protocol.Unmarshal(req.Params(), &p); err != nil {
		return jsonrpc2.ID{}, err
	}
	switch id := p.ID.(type) {
	case protocol.Integer:
		return jsonrpc2.NewNumberID(int64(id)), nil
	case protocol.String:
		return jsonrpc2.NewStringID(string(id)), nil
	}
	return jsonrpc2.ID{}, fmt.Errorf("no id to cancel: %v", p.ID)
}
