package lsp

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// handler is the chain that every message goes through. Requests and notifications run on the read loop, in the order in which
// they arrive; a request lets go of the loop with jsonrpc2.Async once it has its snapshot.
func (s *Server) handler() jsonrpc2.Handler {
	return s.shield(s.cancelling(s.gate(protocol.ServerHandler(s, jsonrpc2.MethodNotFoundHandler))))
}

// shield keeps what goes wrong in one message away from all others: a panic becomes an error response, an error of a
// notification, which would end the connection, is logged, and cancellation gets the code that the protocol wants.
func (s *Server) shield(next jsonrpc2.Handler) jsonrpc2.Handler {
	return func(ctx context.Context, req *jsonrpc2.Request) (result any, err error) {
		method, call := req.Method(), req.IsCall()
		defer func() {
			if v := recover(); v != nil {
				s.log.panicked(method, v, debug.Stack())
				result, err = nil, jsonrpc2.NewError(jsonrpc2.InternalError, fmt.Sprintf("pallas-lsp failed on %s; the log says more", method))
			}
			if !call && err != nil {
				s.log.notification(method, err)
				err = nil
			}
		}()
		result, err = next(ctx, req)
		return result, mapError(err)
	}
}

func mapError(err error) error {
	switch {
	case errors.Is(err, context.Canceled):
		return protocol.ErrRequestCancelled
	case errors.Is(err, jsonrpc2.ErrParse):
		return jsonrpc2.NewError(jsonrpc2.InvalidParams, err.Error())
	}
	return err
}

// gate refuses what the state of the session does not allow: before initialize and after shutdown.
func (s *Server) gate(next jsonrpc2.Handler) jsonrpc2.Handler {
	return func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
		if err := s.admit(req.Method()); err != nil {
			return nil, err
		}
		return next(ctx, req)
	}
}

func (s *Server) admit(method string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case method == protocol.MethodExit:
		return nil
	case s.state == shuttingDown:
		return jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the server is shutting down")
	case s.state == fresh && method != protocol.MethodInitialize:
		return jsonrpc2.NewError(jsonrpc2.ServerNotInitialized, "the server waits for initialize")
	case s.state != fresh && method == protocol.MethodInitialize:
		return jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the server is initialized already")
	}
	return nil
}
