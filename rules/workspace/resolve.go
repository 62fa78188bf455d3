package workspace

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unicode"

	"pallas-lsp/parse"
)

// Resolve finds the file that an import in the file at path names, inside the root of that file: an absolute name
// beside the file's package, under root/src, under root, and beside the file itself; a relative one in the file's package.
// What is not there may be among the packages of the named environment, where only files that have to do with Pallas count.
// A package is its __init__.py. It returns nil for anything else. It implements infer.Resolver.
func (w *Workspace) Resolve(path, name string, level int) *parse.File {
	if !filepath.IsAbs(path) || level < 0 || !moduleName(name) || name == "" && level == 0 {
		return nil
	}
	if parsed := w.find(path, name, level); parsed != nil {
		return parsed() // others must not wait for it
	}
	return nil
}

// find is Resolve but for the parsing.
func (w *Workspace) find(path, name string, level int) func() *parse.File {
	w.mu.Lock()
	defer w.mu.Unlock()
	key := importKey{filepath.Dir(path), name, level}
	if f, known := w.imports[key]; known && w.Still {
		return f
	}
	f := w.look(path, name, level)
	if w.Still {
		w.imports[key] = f
	}
	return f
}

func (w *Workspace) look(path, name string, level int) func() *parse.File {
	path = filepath.Join(w.realFolder(filepath.Dir(path)), filepath.Base(path))
	root := w.rootOf(path)
	if w.siteOf(path) == "" {
		for _, dir := range w.importFolders(path, root, level) {
			if f := w.module(root, dir, name); f != nil {
				return f
			}
		}
	}
	return w.installedModule(path, root, name, level, w.library)
}

// moduleName accepts dotted identifiers and the empty name, so that no name can climb out of a folder.
func moduleName(name string) bool {
	if name == "" {
		return true
	}
	for _, part := range strings.Split(name, ".") {
		if part == "" || strings.IndexFunc(part, func(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) }) >= 0 {
			return false
		}
	}
	return true
}

func (w *Workspace) importFolders(path, root string, level int) []string {
	dir := filepath.Dir(path)
	if level > 0 {
		for range level - 1 {
			dir = filepath.Dir(dir)
		}
		return []string{dir}
	}
	var out []string
	for _, d := range []string{w.packageParent(dir), filepath.Join(root, "src"), root, dir} {
		if !contains(out, d) {
			out = append(out, d)
		}
	}
	return out
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func (w *Workspace) module(root, dir, name string) func() *parse.File {
	if !inside(dir, root) {
		return nil
	}
	base := filepath.Join(append([]string{dir}, strings.Split(name, ".")...)...)
	if f := w.load(filepath.Join(base, "__init__.py"), root); f != nil {
		return f
	}
	if name == "" {
		return nil
	}
	return w.load(base+".py", root)
}

// load returns the open buffer or the file at path, which must be inside root once links are resolved.
func (w *Workspace) load(path, root string) func() *parse.File {
	if f := w.open[path]; f != nil {
		return f
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > MaxSource {
		return nil
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil || !inside(real, root) {
		return nil
	}
	if f := w.open[real]; f != nil {
		return f
	}
	c := w.files[real]
	if c == nil || c.size != info.Size() || !c.changed.Equal(info.ModTime()) {
		c = w.read(real, info)
	}
	return c.parsed
}

func (w *Workspace) read(path string, info os.FileInfo) *cached {
	c := &cached{size: info.Size(), changed: info.ModTime()}
	if text, ok := readRegular(path, MaxSource); ok {
		c.parsed = sync.OnceValue(func() *parse.File { return parse.Parse(path, text) })
	}
	w.keep(path, c)
	return c
}

func (w *Workspace) keep(path string, c *cached) {
	w.drop(path)
	for other := range w.files {
		if w.size+c.size <= maxCached {
			break
		}
		w.drop(other)
	}
	w.files[path] = c
	w.size += c.size
}

// Parse parses a file that was read for a check of its own, once for that and for the files that import it.
func (w *Workspace) Parse(path string, text []byte) *parse.File {
	real, err := filepath.EvalSymlinks(path)
	info, statErr := os.Stat(path)
	if err != nil || real != path || statErr != nil || !info.Mode().IsRegular() || info.Size() != int64(len(text)) {
		return parse.Parse(path, text)
	}
	if f := w.parsedBefore(path, info, text)(); bytes.Equal(f.Src, text) {
		return f
	}
	return parse.Parse(path, text)
}

func (w *Workspace) parsedBefore(path string, info os.FileInfo, text []byte) func() *parse.File {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := w.files[path]
	if c == nil || c.parsed == nil || c.size != info.Size() || !c.changed.Equal(info.ModTime()) {
		c = &cached{size: info.Size(), changed: info.ModTime(), parsed: sync.OnceValue(func() *parse.File { return parse.Parse(path, text) })}
		w.keep(path, c)
	}
	return c.parsed
}

func (w *Workspace) drop(path string) {
	if c := w.files[path]; c != nil {
		w.size -= c.size
		delete(w.files, path)
	}
}

// known returns the file at path as it was last seen, without looking at the disk.
func (w *Workspace) known(path string) *parse.File {
	parsed := func() *parse.File { return nil }
	w.mu.Lock()
	if c := w.files[path]; c != nil && c.parsed != nil {
		parsed = c.parsed
	}
	if f := w.open[path]; f != nil {
		parsed = f
	}
	w.mu.Unlock()
	return parsed()
}
