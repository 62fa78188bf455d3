//go:build unix

package workspace_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"syscall"
	"testing"
	"time"

	"pallas-lsp/parse"
	"pallas-lsp/rules/config"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/workspace"
	"pallas-lsp/testdata/seeds"
)

// FuzzCheck checks a kernel, spoils it and checks it again: nothing panics, every place is inside the file, it ends in time, and the
// findings are those of a fresh start.
func FuzzCheck(f *testing.F) {
	for i, text := range seeds.Start() {
		f.Add(text, uint64(i), byte(i))
		for moves := range seeds.More() {
			f.Add(text, moves, byte(moves))
		}
	}
	f.Fuzz(func(t *testing.T, text string, moves uint64, chip byte) {
		if len(text) > 20_000 {
			return
		}
		w := newWorkspace(t, chip)
		old := parse.Parse("a.py", []byte(text))
		var reuse workspace.Reuse
		check(t, w, old, &reuse)
		next := seeds.Spoil(rand.New(rand.NewPCG(moves, 1)), text, seeds.Others())
		got := check(t, w, old.Edit([]byte(next)), &reuse)
		want := check(t, newWorkspace(t, chip), parse.Parse("a.py", []byte(next)), new(workspace.Reuse))
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("after an edit\n%q\nafresh\n%q\nof\n%s", got, want, next)
		}
	})
}

func newWorkspace(t *testing.T, chip byte) *workspace.Workspace {
	var o *config.Options
	if all := jax.Chips(); int(chip) < len(all) {
		o = &config.Options{Chip: all[chip]}
	}
	w := workspace.New(nil, o)
	w.OnPanic = func(where string, v any) { t.Errorf("%s: %v", where, v) }
	return w
}

// checkTime bounds the processor time of one check.
const checkTime = 5 * time.Second

// check returns the findings as text.
func check(t *testing.T, w *workspace.Workspace, f *parse.File, r *workspace.Reuse) []string {
	t.Helper()
	begun := cpuTime()
	a := w.CheckNext(f, r)
	if took := cpuTime() - begun; took > checkTime {
		t.Errorf("%v of processor time for\n%s", took, f.Src)
	}
	var out []string
	for _, d := range a.Findings {
		out = append(out, fmt.Sprint(place(t, a, d.Loc), d.Rule.Name, d.Message, d.Raises))
		for _, r := range d.Related {
			out = append(out, fmt.Sprint(place(t, a, r.Loc), r.Message))
		}
		for _, x := range d.Fixes {
			for _, e := range x.Edits {
				out = append(out, fmt.Sprint(place(t, a, e.Loc), x.Title, e.New))
			}
		}
	}
	return out
}

// place is a location as offsets, which must be inside the file.
func place(t *testing.T, a *workspace.Analysis, loc parse.Loc) string {
	t.Helper()
	if !loc.Valid() {
		return "nowhere"
	}
	start, end, ok := a.File.Range(loc)
	if !ok || start < 0 || end < start || end > len(a.File.Src) {
		t.Errorf("place %d-%d, %v, in a file of %d bytes:\n%s", start, end, ok, len(a.File.Src), a.File.Src)
	}
	return fmt.Sprint(start, end)
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
