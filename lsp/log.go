package lsp

import (
	"fmt"
	"io"
	"sync"
)

// logger writes what went wrong to the editor's log of the server, each cause once.
type logger struct {
	mu   sync.Mutex
	w    io.Writer
	seen map[string]bool
}

func newLogger(w io.Writer) *logger { return &logger{w: w, seen: map[string]bool{}} }

// maxCauses bounds the memory that seen takes.
const maxCauses = 1000

func (l *logger) once(key, format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.seen[key] || len(l.seen) > maxCauses {
		return
	}
	l.seen[key] = true
	fmt.Fprintf(l.w, format+"\n", args...)
}

func (l *logger) panicked(where string, v any, stack []byte) {
	l.once(fmt.Sprintf("panic %s %v", where, v), "pallas-lsp: panic in %s: %v\n%s", where, v, stack)
}

func (l *logger) notification(method string, err error) {
	l.once("notification "+method, "pallas-lsp: %s: %v", method, err)
}
