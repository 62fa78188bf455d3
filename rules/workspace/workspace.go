// Package workspace knows the folder around a file: what it is configured with, which JAX it uses, which files it imports. It
// reads Python files and pyproject.toml under its roots, and of the named environment the metadata and the packages that kernels are imported from; it
// writes nothing and runs nothing.
package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"pallas-lsp/parse"
	"pallas-lsp/rules"
	"pallas-lsp/rules/config"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// Workspace is a set of folders that belong together. It is safe for concurrent use.
type Workspace struct {
	Getenv   func(string) string           // os.Getenv but in tests
	OnPanic  func(where string, value any) // told of a fault of our own: in a rule, or in the inference of a file; nil: ignored
	Workers  int                           // goroutines that one file may take; 0: one
	Anywhere bool                          // files that a pasted text names are read wherever they are: who runs the command has named them
	Still    bool                          // no file is expected to change: which file an import names is found out once
	mu       sync.Mutex
	roots    []string                         // absolute, links resolved
	over     *config.Options                  // flags or editor settings, above any pyproject.toml
	folders  map[string]*Settings             // by folder
	jax      map[string]detected              // by root
	files    map[string]*cached               // by absolute path, links resolved
	size     int64                            // of the sources in files
	open     map[string]func() *parse.File    // the editor's buffers, by absolute path
	imports  map[importKey]func() *parse.File // when nothing changes
	packages map[string][]string              // by root: where the packages of its environment are
	real     map[string]string                // folders with links resolved
	parents  map[string]string                // of the packages that folders are part of
}

type detected struct{ version, source string }

type cached struct {
	parsed  func() *parse.File // nil: it could not be read
	size    int64
	changed time.Time
	read    bool // it is a regular file that could be read
}

// maxCached bounds the sources that are kept parsed, in bytes.
const maxCached = 48 << 20

// New makes a workspace. Roots that do not exist are kept as they are; over may be nil.
func New(roots []string, over *config.Options) *Workspace {
	w := &Workspace{Getenv: os.Getenv, over: over, files: map[string]*cached{}, open: map[string]func() *parse.File{}}
	w.setRoots(roots)
	w.forget()
	return w
}

// SetRoots replaces the folders.
func (w *Workspace) SetRoots(roots []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.setRoots(roots)
	w.forget()
}

func (w *Workspace) setRoots(roots []string) {
	w.roots = nil
	for _, r := range roots {
		w.roots = append(w.roots, realPath(r))
	}
}

// realPath resolves links where the path exists.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return filepath.Clean(path)
}

// realFolder is realPath, remembered until something is known to have changed.
func (w *Workspace) realFolder(dir string) string {
	real, known := w.real[dir]
	if !known {
		real = realPath(dir)
		w.real[dir] = real
	}
	return real
}

// packageParent is the function packageParent, remembered like realFolder.
func (w *Workspace) packageParent(dir string) string {
	parent, known := w.parents[dir]
	if !known {
		parent = packageParent(dir)
		w.parents[dir] = parent
	}
	return parent
}

// SetOptions replaces the options that stand above the configuration files.
func (w *Workspace) SetOptions(over *config.Options) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = over
	w.forget()
}

// Forget drops what was read of configuration files and environments, after one of them changed.
func (w *Workspace) Forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.forget()
}

func (w *Workspace) forget() {
	w.folders, w.real, w.parents = map[string]*Settings{}, map[string]string{}, map[string]string{}
	w.imports = map[importKey]func() *parse.File{}
	w.jax, w.packages = map[string]detected{}, map[string][]string{}
}

// SetOpen makes an editor's buffer win over the file on disk; nil closes it. The path is absolute; f returns the newest
// version, is called at any time and must not call the workspace.
func (w *Workspace) SetOpen(path string, f func() *parse.File) {
	real := realPath(path)
	w.mu.Lock()
	defer w.mu.Unlock()
	if f == nil {
		delete(w.open, real)
		return
	}
	w.open[real] = f
}

// rootOf returns the innermost root that holds path, or the folder that the file's package is in.
func (w *Workspace) rootOf(path string) string {
	best := ""
	for _, r := range w.roots {
		if inside(path, r) && len(r) > len(best) {
			best = r
		}
	}
	if best == "" {
		return w.packageParent(filepath.Dir(path))
	}
	return best
}

// Analysis is all that is known of one version of a file.
type Analysis struct {
	File     *parse.File
	Settings *Settings
	Facts    *infer.Facts       // without entries when the file has nothing to do with Pallas
	Findings []*rule.Diagnostic // suppressed ones left out, ordered by position
	Imports  map[string]bool    // the paths of the files of the workspace that were imported on the way
	Silenced map[Spot]bool      // the names in comments of imported files that silenced findings there
	w        *Workspace
}

// Spot is an offset in the file at a path.
type Spot struct {
	Path   string
	Offset int
}

// tracker remembers what was imported. While one file is inferred, an import means what it meant when it was first asked for.
type tracker struct {
	w     *Workspace
	mu    sync.Mutex
	seen  map[string]bool
	found map[importKey]*parse.File
}

// importKey is an import in the files of a folder.
type importKey struct {
	dir, name string
	level     int
}

// Resolve implements infer.Resolver.
func (t *tracker) Resolve(path, name string, level int) *parse.File {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := importKey{filepath.Dir(path), name, level}
	f, known := t.found[key]
	if !known {
		f = t.w.Resolve(path, name, level)
		t.found[key] = f
	}
	if f != nil {
		t.seen[f.Path] = true
	}
	return f
}

// Origin implements infer.Resolver.
func (t *tracker) Origin(path, module string, level int, name string) (*parse.File, string) {
	f, as := t.w.Origin(path, module, level, name)
	if f != nil {
		t.mu.Lock()
		t.seen[f.Path] = true
		t.mu.Unlock()
	}
	return f, as
}

// Reuse keeps what the versions of a file have in common. It is safe for concurrent use; the zero value is ready.
type Reuse struct {
	facts    infer.Reuse
	findings rules.Reuse
}

// Check infers and checks one file, as the command line and the server both do it.
func (w *Workspace) Check(f *parse.File) *Analysis { return w.CheckNext(f, new(Reuse)) }

// CheckNext is Check for the next version of a file.
func (w *Workspace) CheckNext(f *parse.File, r *Reuse) *Analysis {
	a := w.inferNext(f, r)
	cfg := a.Settings.Config
	cfg.Workers = w.Workers
	cfg.OnPanic = func(r *rule.Rule, v any) { w.panicked("the rule "+r.Name, v) }
	found := r.findings.Check(a.Facts, &cfg)
	a.Findings = a.silenceElsewhere(rules.Suppress(a.Facts, found, &cfg))
	return a
}

// Offers are the findings of rules that are not selected, for the refactorings that they come with.
func (a *Analysis) Offers() []*rule.Diagnostic {
	cfg := a.Settings.Config
	cfg.OnPanic = func(r *rule.Rule, v any) { a.w.panicked("the rule "+r.Name, v) }
	return rules.Offers(a.Facts, &cfg)
}

// silenceElsewhere takes out the findings in imported files that comments there silence.
func (a *Analysis) silenceElsewhere(found []*rule.Diagnostic) []*rule.Diagnostic {
	var out []*rule.Diagnostic
	silencers := map[*parse.File]func(*rule.Rule, int, int) (int, bool){}
	for _, d := range found {
		p, ok := a.Place(d.Loc)
		if !ok || p.File == a.File {
			out = append(out, a.ownFixes(d))
			continue
		}
		if a.w.isInstalled(p.File.Path) {
			continue
		}
		if silencers[p.File] == nil {
			silencers[p.File] = rules.Silencer(p.File)
		}
		at, silenced := silencers[p.File](d.Rule, p.Start, p.End)
		if !silenced {
			out = append(out, d)
			continue
		}
		if a.Silenced == nil {
			a.Silenced = map[Spot]bool{}
		}
		a.Silenced[Spot{p.File.Path, at}] = true
	}
	return out
}

// ownFixes leaves out the fixes that would change an installed package.
func (a *Analysis) ownFixes(d *rule.Diagnostic) *rule.Diagnostic {
	foreign := func(f *rule.Fix) bool {
		return f != nil && slices.ContainsFunc(f.Edits, func(e rule.Edit) bool {
			return e.Loc.Valid() && e.Loc.Chunk.Path != a.File.Path && a.w.isInstalled(e.Loc.Chunk.Path)
		})
	}
	if !slices.ContainsFunc(d.Fixes, foreign) {
		return d
	}
	out := *d
	out.Fixes = slices.DeleteFunc(slices.Clone(d.Fixes), foreign)
	return &out
}

// Infer infers the facts of one file and runs no rule.
func (w *Workspace) Infer(f *parse.File) *Analysis { return w.inferNext(f, new(Reuse)) }

func (w *Workspace) inferNext(f *parse.File, r *Reuse) *Analysis {
	s := w.Settings(f.Path)
	a := &Analysis{File: f, Settings: s, w: w, Facts: &infer.Facts{File: f, Release: s.Release}}
	if infer.MentionsPallas(f.Src) {
		t := &tracker{w: w, seen: map[string]bool{}, found: map[importKey]*parse.File{}}
		a.Facts = r.facts.Analyze(f, infer.Options{Release: s.Release, Files: t, Chip: s.Config.Chip, Workers: w.Workers,
			OnPanic: func(v any) { w.panicked("the inference of "+f.Path, v) }})
		a.Imports = t.seen
	}
	return a
}

func (w *Workspace) panicked(where string, v any) {
	if w.OnPanic != nil {
		w.OnPanic(where, v)
	}
}

// Place is a span of bytes in one version of a file.
type Place struct {
	File       *parse.File
	Start, End int
}

// Place finds a location, which may be in an imported file. It fails for a location that is not valid or whose file has
// changed since.
func (a *Analysis) Place(loc parse.Loc) (Place, bool) {
	if !loc.Valid() {
		return Place{}, false
	}
	if start, end, ok := a.File.Range(loc); ok {
		return Place{a.File, start, end}, true
	}
	other := a.w.known(loc.Chunk.Path)
	if other == nil {
		return Place{}, false
	}
	start, end, ok := other.Range(loc)
	return Place{other, start, end}, ok
}

// Wrong reports whether an error or a warning lies at a place of the code.
func (a *Analysis) Wrong(loc parse.Loc) bool {
	for _, d := range a.Findings {
		if d.Severity <= rule.Warning && d.Loc.Chunk == loc.Chunk && d.Loc.Start < loc.End && loc.Start < d.Loc.End {
			return true
		}
	}
	return false
}
