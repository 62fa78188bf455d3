package main

import (
	"fmt"
	"io"
	"runtime"
	"sync"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/workspace"
)

// onPanic reports a fault of our own, once each, and goes on without what failed.
func (e *env) onPanic() func(string, any) {
	var mu sync.Mutex
	told := map[string]bool{}
	return func(where string, v any) {
		mu.Lock()
		defer mu.Unlock()
		if !told[where] {
			told[where] = true
			fmt.Fprintf(e.stderr, "pallas-lsp: %s failed and was left out: %v\n", where, v)
		}
	}
}

// source is one file to work on.
type source struct {
	path string // as given
	text []byte // nil: still to be read
	err  error
}

// sources expands the arguments of a command; "-" is standard input under the name stdinName.
func (e *env) sources(args []string, stdinName string) ([]*source, error) {
	var out []*source
	var paths []string
	for _, a := range args {
		if a != "-" {
			paths = append(paths, a)
			continue
		}
		text, err := io.ReadAll(io.LimitReader(e.stdin, workspace.MaxSource+1))
		if err != nil {
			return nil, fmt.Errorf("standard input: %w", err)
		}
		if len(text) > workspace.MaxSource {
			return nil, fmt.Errorf("standard input: larger than %d MiB", workspace.MaxSource>>20)
		}
		if text == nil {
			text = []byte{}
		}
		out = append(out, &source{path: stdinName, text: text})
	}
	found, err := workspace.Walk(paths, e.dir)
	if err != nil {
		return nil, err
	}
	for _, p := range found {
		out = append(out, &source{path: p})
	}
	return out, nil
}

// each calls work for every source on all processors and returns the results in the order of the sources. A source that can't
// be read has err set and no result.
func each[T any](e *env, sources []*source, work func(*source) T) []T {
	out := make([]T, len(sources))
	next := make(chan int)
	p := e.startProgress(len(sources))
	defer p.end()
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), max(1, len(sources))) {
		wg.Go(func() {
			for i := range next {
				if s := sources[i]; e.read(s) {
					out[i] = work(s)
				}
				sources[i].text = nil
				p.step()
			}
		})
	}
	for i := range sources {
		next <- i
	}
	close(next)
	wg.Wait()
	return out
}

func (e *env) read(s *source) bool {
	if s.text != nil {
		return true
	}
	s.text, s.err = workspace.ReadFile(e.abs(s.path), workspace.MaxSource)
	return s.err == nil
}

// skipped says which sources could not be read, each in a line; the command goes on without them and ends with 1, since it has not seen all.
func (e *env) skipped(sources []*source) error {
	var out error
	for _, s := range sources {
		if s.err != nil {
			fmt.Fprintf(e.stderr, "pallas-lsp: %s: %v; left out\n", s.path, pathReason(s.err))
			out = exit(1)
		}
	}
	return out
}

// unread reports the first source that could not be read.
func unread(sources []*source) error {
	for _, s := range sources {
		if s.err != nil {
			return fmt.Errorf("%s: %w", s.path, pathReason(s.err))
		}
	}
	return nil
}

// analyse checks one source; nil when it has nothing to do with Pallas.
func (e *env) analyse(w *workspace.Workspace, s *source) *workspace.Analysis {
	if !infer.MentionsPallas(s.text) {
		return nil
	}
	f, err := e.parse(w, s)
	if err != nil {
		s.err = err
		return nil
	}
	a := w.Check(f)
	if n := a.Facts.LeftOut; n > 0 {
		fmt.Fprintf(e.stderr, "pallas-lsp: %s: %s not looked at: those before took all that a file may take\n", s.path, plural(n, "function was", "functions were"))
	}
	a.Facts = nil // of many files they would fill the memory; the findings are made
	return a
}

// parse reads a file of Python, or a notebook; a notebook may be none.
func (e *env) parse(w *workspace.Workspace, s *source) (*parse.File, error) {
	path := e.abs(s.path)
	if !workspace.IsNotebook(path) {
		return w.Parse(path, s.text), nil
	}
	n, err := workspace.ReadNotebook(s.text)
	if err != nil {
		return nil, err
	}
	return n.Parse(path), nil
}

// problems fails when a configuration file that was used is wrong.
func problems(e *env, analyses []*workspace.Analysis) error {
	for _, a := range analyses {
		if a == nil || len(a.Settings.Problems) == 0 {
			continue
		}
		p := a.Settings.Problems[0]
		name := e.style().Name(a.Settings.Source)
		if p.Line > 0 {
			return fmt.Errorf("%s:%d: %s", name, p.Line, p.Message)
		}
		return fmt.Errorf("%s: %s", name, p.Message)
	}
	return nil
}
