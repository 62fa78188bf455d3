package workspace

import (
	"path/filepath"
	"strings"

	"pallas-lsp/parse"
)

// Named returns the file that a printed path means: the one of that path, else the one under a root with the longest end of the path, as where the
// text comes from another machine. That one's line, from 1, must be the code that was printed, or two parts of the path the same. It is nil
// when there is none.
func (w *Workspace) Named(path string, line int, code string) *parse.File {
	if filepath.Ext(path) != ".py" {
		return nil
	}
	w.mu.Lock()
	exact, similar := w.meant(path)
	w.mu.Unlock()
	for _, p := range exact {
		if f := w.source(p); f != nil {
			return f
		}
	}
	for i, p := range similar {
		f := w.source(p)
		switch {
		case f == nil:
		case code != "" && line > 0 && line <= f.LineCount() && strings.TrimSpace(f.Line(line-1)) == code:
			return f
		case code == "" && i < len(similar)-len(w.roots):
			return f
		}
	}
	return nil
}

// meant are the paths that a printed one may be, and those under the roots with an end of it, the longest first.
func (w *Workspace) meant(path string) (exact, similar []string) {
	path = filepath.FromSlash(strings.ReplaceAll(path, `\`, "/"))
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		path = filepath.Join(w.Getenv("HOME"), rest)
	}
	if filepath.IsAbs(path) {
		exact = append(exact, filepath.Clean(path))
	} else {
		for _, r := range w.roots {
			exact = append(exact, filepath.Join(r, path))
		}
	}
	parts := strings.Split(filepath.Clean(path), string(filepath.Separator))
	for i := 1; i < len(parts); i++ {
		for _, r := range w.roots {
			similar = append(similar, filepath.Join(append([]string{r}, parts[i:]...)...))
		}
	}
	return exact, similar
}

// source is the open buffer or the file at path: one under a root, or with Anywhere each.
func (w *Workspace) source(path string) *parse.File {
	w.mu.Lock()
	var load func() *parse.File
	for _, r := range w.roots {
		if load = w.load(path, r); load != nil {
			break
		}
	}
	if real := realPath(path); load == nil && w.Anywhere {
		load = w.load(real, filepath.Dir(real))
	} else if load == nil {
		load = w.open[real]
	}
	w.mu.Unlock()
	if load == nil {
		return nil
	}
	return load()
}
