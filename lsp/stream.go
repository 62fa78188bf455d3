package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"

	"go.lsp.dev/jsonrpc2"
)

// tolerant is a stream that drops frames which hold no message: jsonrpc2 ends the connection for one, although the next begins where it should.
type tolerant struct {
	jsonrpc2.Stream
	frames frames
	log    *logger
}

// frames is what jsonrpc2 looks for in a stream beside its interface.
type frames interface {
	ReadFrame(context.Context) ([]byte, int64, error)
	WriteFrame(context.Context, []byte) (int64, error)
}

// streamOf frames a connection.
func streamOf(conn io.ReadWriteCloser, log *logger) jsonrpc2.Stream {
	s := jsonrpc2.NewHeaderStream(conn)
	if f, ok := s.(frames); ok {
		return &tolerant{s, f, log}
	}
	return s
}

// WriteFrame writes one frame.
func (w *tolerant) WriteFrame(ctx context.Context, data []byte) (int64, error) {
	return w.frames.WriteFrame(ctx, data)
}

var errNoMessage = errors.New("a frame that holds no JSON-RPC message was dropped")

// ReadFrame is what jsonrpc2 looks for to tell batches from messages.
func (w *tolerant) ReadFrame(ctx context.Context) ([]byte, int64, error) {
	for {
		body, n, err := w.frames.ReadFrame(ctx)
		if err != nil || readable(body) {
			return body, n, err
		}
		w.log.notification("message", errNoMessage)
	}
}

func readable(body []byte) bool {
	if text := bytes.TrimLeft(body, " \t\r\n"); len(text) > 0 && text[0] == '[' {
		return json.Valid(text) // a batch, of which each message is looked at by itself
	}
	_, err := jsonrpc2.DecodeMessage(body)
	return err == nil
}
