package workspace

import (
	"path/filepath"

	"pallas-lsp/rules"
	"pallas-lsp/rules/config"
	"pallas-lsp/rules/jax"
)

// Settings are what a file is checked with.
type Settings struct {
	Config      rules.Config
	Release     *jax.Release
	ReleaseFrom string // where the version of JAX was found; empty: nowhere, so it is the newest known
	Hints       config.Hints
	Source      string           // the pyproject.toml, empty: none
	Problems    []config.Problem // of Source
}

// Settings returns what the file at path is checked with. The nearest pyproject.toml with our table wins, up to the root.
func (w *Workspace) Settings(path string) *Settings {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !filepath.IsAbs(path) {
		return w.makeSettings("", nil, "", nil)
	}
	dir := w.realFolder(filepath.Dir(path))
	if s := w.folders[dir]; s != nil {
		return s
	}
	root := w.rootOf(filepath.Join(dir, filepath.Base(path)))
	options, source, problems := nearest(dir, root)
	s := w.makeSettings(root, options, source, problems)
	w.folders[dir] = s
	return s
}

// nearest looks for our table in dir and the folders above it, no further than root.
func nearest(dir, root string) (*config.Options, string, []config.Problem) {
	for ; ; dir = filepath.Dir(dir) {
		path := filepath.Join(dir, "pyproject.toml")
		if inside(realPath(path), root) {
			if text, ok := readRegular(path, maxLock); ok {
				options, problems := config.Parse(string(text))
				if options != nil || len(problems) > 0 {
					return options, path, problems
				}
			}
		}
		if dir == root || dir == filepath.Dir(dir) {
			return nil, "", nil
		}
	}
}

func (w *Workspace) makeSettings(root string, options *config.Options, source string, problems []config.Problem) *Settings {
	o := w.over.Over(options)
	s := &Settings{Hints: o.Hints, Source: source, Problems: problems}
	s.Config = rules.Config{Chip: o.Chip, Select: o.Select, Ignore: o.Ignore, Severity: o.Severity}
	version, from := o.JAXVersion, "the configuration"
	if version == "" {
		version, from = w.detect(root)
	}
	s.Release, s.ReleaseFrom = jax.For(version), from
	return s
}

func (w *Workspace) detect(root string) (version, source string) {
	if root == "" {
		return "", ""
	}
	d, ok := w.jax[root]
	if !ok {
		d.version, d.source = DetectJAX(root, w.Getenv)
		w.jax[root] = d
	}
	return d.version, d.source
}
