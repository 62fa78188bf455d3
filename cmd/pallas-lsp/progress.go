package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

const (
	patience = 700 * time.Millisecond // a run that is over sooner shows nothing
	interval = 100 * time.Millisecond
)

// progress shows at a terminal how far a long run is, in one line that is gone when it ends. Without a writer it does nothing.
type progress struct {
	w     io.Writer
	total int

	mu    sync.Mutex
	done  int
	next  time.Time
	shown bool
}

func (e *env) startProgress(total int) *progress {
	return &progress{w: e.progress, total: total, next: time.Now().Add(e.patience)}
}

// step says that one more file is done.
func (p *progress) step() {
	if p.w == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	now := time.Now()
	if now.Before(p.next) {
		return
	}
	p.next = now.Add(interval)
	p.shown = true
	fmt.Fprintf(p.w, "\r\x1b[K%d of %d files", p.done, p.total)
}

// end takes the line away.
func (p *progress) end() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
