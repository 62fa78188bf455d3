// Package lsp is the language server. It is the only package that knows the protocol: it turns positions, findings and facts
// into protocol values and decides nothing about kernels itself.
package lsp

import (
	"context"
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"pallas-lsp/parse"
	"pallas-lsp/rules/workspace"
)

// state is where a session is in its life.
type state int

const (
	fresh state = iota
	running
	shuttingDown
)

// Server is one session with one client.
type Server struct {
	protocol.UnimplementedServer

	version string
	log     *logger
	conn    jsonrpc2.Conn
	exit    chan int // receives the exit code
	w       *workspace.Workspace
	can     client
	enc     parse.Encoding

	queue   *queue
	results atomic.Uint64 // the last id of a snapshot

	mu    sync.Mutex
	state state
	docs  map[uri.URI]*document // a notebook is one
	books map[uri.URI]*document // by the URI of each of its cells, the notebook

	elsewhere  elsewhere
	publishing sync.Mutex       // diagnostics go out one after another, so that none overtakes the end of its document
	wrong      map[uri.URI]bool // configuration files that have diagnostics now

	options  protocol.LSPAny // initializationOptions: the settings of a client that has no others
	settings protocol.LSPAny // those in force; the read loop's before initialized, then the tasks'

	folders []protocol.WorkspaceFolder // the read loop's
	tasks   tasks
	told    map[string]bool // messages about settings that were shown; the read loop's before initialized, then the tasks'
}

// client is what the client can do, as far as we ask.
type client struct {
	pull, refreshDiagnostics, refreshHints bool
	configuration, watchConfiguration      bool
	watchFiles                             bool
	related, tags, codeDescription, data   bool
	markdown                               bool
	documentChanges                        bool
	resolveEdit                            bool
	literalActions                         bool
}

// Serve runs a session over a stream until the client says exit, the stream ends or the client's process dies. It returns the
// exit code of the process: 0 when shutdown came before the end, else 1. Troubles are written to log.
func Serve(ctx context.Context, stream io.ReadWriteCloser, log io.Writer, version string) int {
	s := newServer(log, version)
	s.conn = jsonrpc2.NewConn(streamOf(stream, s.log), jsonrpc2.WithCodec(codec{}))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go s.work(ctx)
	s.conn.Go(ctx, s.handler())
	select {
	case code := <-s.exit:
		return code
	case <-s.conn.Done():
	}
	select { // exit may have come together with the end of the stream
	case code := <-s.exit:
		return code
	default:
		return s.exitCode()
	}
}

func newServer(log io.Writer, version string) *Server {
	s := &Server{version: version, log: newLogger(log), exit: make(chan int, 4), docs: map[uri.URI]*document{}, books: map[uri.URI]*document{}, queue: newQueue(),
		told: map[string]bool{}, wrong: map[uri.URI]bool{}}
	s.elsewhere.by = map[*document]map[string]*outside{}
	s.w = workspace.New(nil, nil)
	s.w.Workers = runtime.GOMAXPROCS(0)
	s.w.OnPanic = func(where string, v any) { s.log.once(where, "pallas-lsp: %s failed and was left out: %v", where, v) }
	return s
}

func (s *Server) exitCode() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state == shuttingDown {
		return 0
	}
	return 1
}
