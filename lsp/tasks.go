package lsp

import (
	"context"
	"sync"
	"time"
)

// tasks run beside the read loop, one after another in the order in which they were given: settings that come later win.
// What asks the client for something must be a task, as the read loop would wait for itself.
type tasks struct {
	mu      sync.Mutex
	due     []task
	running bool
}

type task struct {
	what string
	work func(context.Context)
}

// taskTime bounds how long a client may take to answer what one task asks.
const taskTime = 20 * time.Second

func (s *Server) background(what string, work func(context.Context)) {
	t := &s.tasks
	t.mu.Lock()
	defer t.mu.Unlock()
	t.due = append(t.due, task{what, work})
	if !t.running {
		t.running = true
		go s.runTasks()
	}
}

func (s *Server) runTasks() {
	for {
		next, ok := s.tasks.next()
		if !ok {
			return
		}
		s.runTask(next)
	}
}

func (t *tasks) next() (task, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.due) == 0 {
		t.running = false
		return task{}, false
	}
	next := t.due[0]
	t.due = t.due[1:]
	return next, true
}

func (s *Server) runTask(t task) {
	defer s.survive(t.what)
	ctx, cancel := context.WithTimeout(context.Background(), taskTime)
	defer cancel()
	t.work(ctx)
}
