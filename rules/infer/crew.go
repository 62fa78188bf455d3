package infer

import (
	"maps"
	"sync"
	"sync/atomic"

	"pallas-lsp/parse"
)

// A crew runs the worlds of one entry at the same time, each worker on an interpreter of its own: a twin has run the same modules, and
// shares nothing with the others that changes.

// run is what an entry does, on any interpreter of the crew, which has its own of the function that is the entry.
type run func(ip *interp, fr *frame, f *Func)

// runWorlds runs an entry under each of the assumptions. How many workers there are makes no difference to what is found.
func (ip *interp) runWorlds(assumed []map[string]bool, f *Func, r run) []*World {
	worlds := make([]*World, len(assumed))
	ip.learned = ip.equalities
	var taken atomic.Int64
	work := func(ip *interp, f *Func) {
		for i := int(taken.Add(1)) - 1; i < len(assumed); i = int(taken.Add(1)) - 1 {
			worlds[i] = ip.runWorld(assumed[i], f, r)
		}
	}
	crew := ip.hire(min(ip.opts.Workers, len(assumed)) - 1)
	var done sync.WaitGroup
	for _, t := range crew {
		done.Go(func() {
			t.prepare()
			if own := t.functions[f.node()]; own != nil {
				work(t, own)
			}
		})
	}
	work(ip, f)
	done.Wait()
	ip.learned = nil
	for _, t := range crew {
		ip.log.add(t.log)
	}
	return worlds
}

// hire makes twins, or takes those of an earlier entry, and tells them what the entry begins with.
func (ip *interp) hire(n int) []*interp {
	for len(ip.twins) < n {
		ip.twins = append(ip.twins, ip.twin())
	}
	crew := ip.twins[:max(0, n)]
	for _, t := range crew {
		t.due = ip.loaded[:len(ip.loaded):len(ip.loaded)]
		t.learned, t.called, t.log, t.readNames = ip.learned, ip.called, newReadLog(), nil
	}
	return crew
}

// twin is a new interpreter of the same file.
func (ip *interp) twin() *interp {
	t := newInterp(ip.main.file, ip.opts)
	t.words, t.mentions.before, t.bodies.before = ip.words, ip.mentions.before, ip.bodies.before
	return t
}

// prepare runs the modules that the interpreter of the crew's leader has run by now, in the same order.
func (t *interp) prepare() {
	learned, called, log := t.learned, t.called, t.log
	t.learned, t.called, t.log = nil, map[parse.Node]bool{}, newReadLog()
	if !t.moduleRun {
		t.runWorld(nil, nil, runMain)
		t.unsureX64()
		t.functions = map[parse.Node]*Func{}
		for _, f := range t.roots() {
			t.functions[f.node()] = f
		}
	}
	for _, m := range t.due {
		if t.mods[m.file.Path] == nil {
			t.guard(newWorld(), func() { t.runModule(t.loadModule(m.file, m.name)) })
		}
	}
	t.learned, t.called, t.log = learned, called, log
}

func runMain(ip *interp, _ *frame, _ *Func) { ip.runModule(ip.main) }

// add takes over what another run has read.
func (l *readLog) add(other *readLog) {
	maps.Copy(l.names, other.names)
	maps.Copy(l.files, other.files)
	maps.Copy(l.called, other.called)
	maps.Copy(l.asked, other.asked)
}
