package stage_test

import (
	"cmp"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/stage"
)

// bad are the loads and stores of a file that its cores can't do, each place once, in order.
type bad struct {
	pass  *rule.Pass
	event *infer.Event
}

func find(f *parse.File, release *jax.Release) []bad {
	facts := infer.Analyze(f, infer.Options{Release: release})
	seen := map[string]bool{}
	var out []bad
	for _, e := range facts.Entries {
		for _, w := range e.Worlds {
			for _, k := range w.Kernels {
				for _, ev := range k.Events {
					if !mixed(ev) && (!slices.Contains(accesses, ev.Op) || !refused(k.Core, ev.Refs[0]) && !element(k.Core, ev)) {
						continue
					}
					key := fmt.Sprint(ev.Op, ev.Loc.Chunk.Path, ev.Loc.Span, &ev.Loc.Chunk.Text)
					if !seen[key] {
						seen[key] = true
						out = append(out, bad{&rule.Pass{File: f, Release: facts.Release, World: w, Facts: facts}, ev})
					}
				}
			}
		}
	}
	at := func(b bad) int { n, _, _ := f.Range(b.event.Loc); return n }
	slices.SortStableFunc(out, func(a, b bad) int { return cmp.Compare(at(a), at(b)) })
	return out
}

var accesses = []infer.Op{infer.OpLoad, infer.OpStore, infer.OpGather, infer.OpScatter}

// buffers are the names that fixes give.
var buffers = regexp.MustCompile(`_(vmem|smem)(_\d+)?$`)

// pretended: refs that are well in reach, to have many more kernels to try.
func pretended(core jax.Core, r *infer.Ref) bool {
	return core.IsTPU() && r.Spaces.Only(jax.VMEM, jax.HBM, jax.ANY, jax.VMEMShared) && !buffers.MatchString(r.Name)
}

var refused = reallyRefused

func reallyRefused(core jax.Core, r *infer.Ref) bool {
	if core.IsSparseCore() {
		return r.Spaces.Only(jax.HBM, jax.ANY, jax.VMEMShared)
	}
	return core == jax.TensorCore && r.Spaces.Only(jax.HBM, jax.ANY)
}

// element: one element of VMEM, where the core knows only vectors.
func element(core jax.Core, e *infer.Event) bool {
	scalar := e.RShape && e.Result.IsRank(0) && e.Refs[0].Spaces.Only(jax.VMEM) && (e.Op == infer.OpLoad || e.Op == infer.OpStore)
	return scalar && (core == jax.SCVectorSubcore || core == jax.TensorCore && e.Op == infer.OpStore)
}

// mixed: a copy between a ref of a hijax type and an ordinary one.
func mixed(e *infer.Event) bool {
	return e.Op == infer.OpDMAStart && e.Refs[0] != nil && e.Refs[1] != nil && e.Refs[0].High != e.Refs[1].High
}

func offers(b bad) []*rule.Fix {
	if mixed(b.event) {
		return stage.Like(b.pass, b.event)
	}
	if element(b.event.Kernel.Core, b.event) {
		return stage.Element(b.pass, b.event)
	}
	if b.event.Op == infer.OpLoad || b.event.Op == infer.OpGather {
		return stage.Load(b.pass, b.event)
	}
	return stage.Store(b.pass, b.event)
}

// pick chooses among the offered fixes: the first, or the one with a local buffer.
func pick(fixes []*rule.Fix, kind string) *rule.Fix {
	for _, f := range fixes {
		if kind == "first" || strings.Contains(f.Title, "local") || f.Safety == rule.Safe {
			return f
		}
	}
	return nil
}

// stageAll applies fixes of a kind until none is offered. It returns the text, the titles, and how many accesses are left.
func stageAll(t *testing.T, src, kind string, release *jax.Release) (text string, titles []string, left int) {
	f := parse.Parse("case.py", []byte(src))
	for range 400 {
		found := find(f, release)
		var fix *rule.Fix
		for _, b := range found {
			if fix = pick(offers(b), kind); fix != nil {
				break
			}
		}
		if fix == nil {
			return string(f.Src), titles, len(found)
		}
		titles = append(titles, fix.Title)
		f = parse.Parse("case.py", []byte(apply(t, f, fix)))
		for _, c := range f.Chunks {
			if c.Broken {
				t.Fatalf("%q breaks the syntax:\n%s", fix.Title, f.Src)
			}
		}
	}
	t.Fatalf("no end of fixes:\n%s", f.Src)
	return "", nil, 0
}

func apply(t *testing.T, f *parse.File, fix *rule.Fix) string {
	t.Helper()
	var edits []parse.Edit
	for _, e := range fix.Edits {
		start, end, ok := f.Range(e.Loc)
		if !ok {
			t.Fatalf("fix %q edits another file", fix.Title)
		}
		edits = append(edits, parse.Edit{Start: start, End: end, New: e.New})
	}
	out, err := parse.Apply(f.Src, edits)
	if err != nil {
		t.Fatalf("fix %q: %v\n%+v", fix.Title, err, edits)
	}
	return string(out)
}

// TestTry shows what becomes of the files named in STAGE_TRY, for people.
func TestTry(t *testing.T) {
	if os.Getenv("STAGE_PRETEND") != "" {
		refused = pretended
		defer stage.Pretend(pretended)()
		defer func() { refused = reallyRefused }()
	}
	for _, path := range strings.Fields(os.Getenv("STAGE_TRY")) {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []string{"first", "local"} {
			text, titles, left := stageAll(t, string(src), kind, nil)
			if out := os.Getenv("STAGE_OUT"); out != "" {
				name := strings.ReplaceAll(strings.TrimPrefix(path, "/"), "/", "_")
				os.WriteFile(out+"/"+strings.TrimSuffix(name, ".py")+"."+kind+".py", []byte(text), 0o644)
				fmt.Printf("%s %s: %d applied, %d left %v\n", path, kind, len(titles), left, titles)
				continue
			}
			fmt.Printf("=== %s %s: %d left\n%s\n%s\n", path, kind, left, strings.Join(titles, "\n"), text)
		}
	}
}
