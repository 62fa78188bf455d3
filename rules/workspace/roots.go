package workspace

import (
	"os"
	"path/filepath"
	"strings"
)

// markers are the files that stand at the top of a project.
var markers = []string{"pyproject.toml", ".git", "setup.py", "setup.cfg", ".hg"}

// RootOf returns the folder that a path on the command line is checked in: the nearest one above it with a mark of a project,
// else the working folder when the path is inside it, else the top of the file's package. path and cwd are absolute.
func RootOf(path, cwd string) string {
	dir := path
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		dir = filepath.Dir(path)
	}
	for d := dir; ; d = filepath.Dir(d) {
		for _, m := range markers {
			if _, err := os.Lstat(filepath.Join(d, m)); err == nil {
				return d
			}
		}
		if d == filepath.Dir(d) {
			break
		}
	}
	if inside(path, cwd) {
		return cwd
	}
	return packageParent(dir)
}

// packageParent climbs out of the package that dir is part of.
func packageParent(dir string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, "__init__.py")); err != nil || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

// inside reports whether path is root or below it. Both are absolute and clean.
func inside(path, root string) bool {
	if path == root {
		return true
	}
	if !strings.HasSuffix(root, string(filepath.Separator)) {
		root += string(filepath.Separator)
	}
	return strings.HasPrefix(path, root)
}
