package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/infer"
)

// maxReexports bounds how many packages may hand a name on to each other.
const maxReexports = 8

// sitePackages are the folders of installed packages in an environment.
func sitePackages(env string) []string {
	places, _ := filepath.Glob(filepath.Join(quoteGlob(env), "lib", "python3*", "site-packages"))
	return append(places, filepath.Join(env, "Lib", "site-packages"))
}

// sites are the folders of installed packages that files under a root import from, links resolved: those of the first environment that has any.
// An environment of the project that a link leads out of it is none of its own.
func (w *Workspace) sites(root string) []string {
	found, known := w.packages[root]
	if known {
		return found
	}
	for _, env := range environments(root, w.Getenv) {
		for _, dir := range sitePackages(env) {
			info, err := os.Stat(dir)
			real := realPath(dir)
			if err != nil || !info.IsDir() || inside(env, root) && !inside(real, root) {
				continue
			}
			found = append(found, real)
		}
		if len(found) > 0 {
			break
		}
	}
	w.packages[root] = found
	return found
}

// siteOf is the folder of installed packages that a file is in, empty when it is in none that is known.
func (w *Workspace) siteOf(path string) string {
	for _, sites := range w.packages {
		for _, dir := range sites {
			if inside(path, dir) {
				return dir
			}
		}
	}
	return ""
}

// library is a module of an installed package that has to do with Pallas. Others are not followed: they would lead to all that is installed.
func (w *Workspace) library(site, dir, name string) func() *parse.File {
	if f := w.module(site, dir, name); f != nil && infer.MentionsPallas(f().Src) {
		return f
	}
	return nil
}

// installedModule finds a module among the installed packages: an absolute name, or from a file of such a package a relative one.
func (w *Workspace) installedModule(path, root, name string, level int, find func(site, dir, name string) func() *parse.File) func() *parse.File {
	site := w.siteOf(path)
	switch {
	case site != "" && level > 0:
		return find(site, w.importFolders(path, site, level)[0], name)
	case site != "":
		return find(site, site, name)
	case level > 0:
		return nil
	}
	for _, site := range w.sites(root) {
		if f := find(site, site, name); f != nil {
			return f
		}
	}
	return nil
}

// Origin finds where a package hands a name on from, when it is installed and has itself nothing to do with Pallas: the file that defines it and
// does, and the name there. It implements infer.Resolver.
func (w *Workspace) Origin(path, module string, level int, name string) (*parse.File, string) {
	if !filepath.IsAbs(path) || level < 0 || !moduleName(module) || module == "" && level == 0 {
		return nil, ""
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	path = filepath.Join(w.realFolder(filepath.Dir(path)), filepath.Base(path))
	return w.origin(path, w.rootOf(path), module, level, name, maxReexports)
}

func (w *Workspace) origin(path, root, module string, level int, name string, left int) (*parse.File, string) {
	parsed := w.installedModule(path, root, module, level, w.module)
	if parsed == nil || left == 0 {
		return nil, ""
	}
	f := parsed()
	if infer.MentionsPallas(f.Src) {
		return f, name
	}
	for _, b := range f.Imports() {
		from, next := reexported(b, name)
		if next == "" {
			continue
		}
		if found, as := w.origin(f.Path, root, from, b.Level, next, left-1); found != nil {
			return found, as
		}
	}
	return nil, ""
}

// reexported is the module that a name comes from by an import, and its name there; empty when the import binds other names.
func reexported(b parse.Binding, name string) (module, member string) {
	switch {
	case b.Name == "*":
		return b.Target, name
	case !b.Member || b.Name != name:
		return "", ""
	}
	i := strings.LastIndexByte(b.Target, '.')
	return b.Target[:max(i, 0)], b.Target[i+1:]
}

// isInstalled reports whether a file belongs to an installed package, which is nobody's to change here: unless it is what is worked on.
func (w *Workspace) isInstalled(path string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	site := w.siteOf(path)
	return site != "" && !slices.ContainsFunc(w.roots, func(root string) bool { return inside(path, root) && inside(root, site) })
}
