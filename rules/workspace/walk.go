package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// skipped are folders that hold nothing the author wrote.
var skipped = map[string]bool{
	".bzr": true, ".direnv": true, ".eggs": true, ".git": true, ".hg": true, ".ipynb_checkpoints": true, ".mypy_cache": true,
	".nox": true, ".pyenv": true, ".pytest_cache": true, ".pytype": true, ".ruff_cache": true, ".svn": true, ".tox": true,
	".venv": true, ".vscode": true, "__pycache__": true, "__pypackages__": true, "_build": true, "buck-out": true, "build": true,
	"dist": true, "node_modules": true, "site-packages": true, "venv": true,
}

// Walk returns the Python files that the arguments of a command name, as paths that start as the arguments do, each once.
// Folders are walked for regular .py files; links inside them are not followed, so that a walk can't leave its root. A file
// that is named itself is taken whatever its name, and whatever it is: reading it says what is wrong. So is a folder that can't be read. It fails
// when an argument does not exist.
// Relative arguments are meant from dir.
func Walk(args []string, dir string) ([]string, error) {
	var out []string
	seen := map[string]bool{}
	for _, arg := range args {
		found, err := walkOne(arg, dir)
		if err != nil {
			return nil, err
		}
		for _, path := range found {
			if key := filepath.Clean(path); !seen[key] {
				seen[key] = true
				out = append(out, path)
			}
		}
	}
	return out, nil
}

func walkOne(arg, dir string) ([]string, error) {
	place := arg
	if !filepath.IsAbs(arg) {
		place = filepath.Join(dir, arg)
	}
	info, err := os.Stat(place)
	if err != nil {
		if _, there := os.Lstat(place); there == nil { // a link to nothing or in a circle
			return []string{arg}, nil
		}
		return nil, fmt.Errorf("%s: %w", arg, reason(err))
	}
	if !info.IsDir() {
		return []string{arg}, nil
	}
	return walkFolder(place, arg), nil
}

func reason(err error) error {
	if p, ok := err.(*fs.PathError); ok {
		return p.Err
	}
	return err
}

// walkFolder walks dir, which the results call name. Of a folder that can't be read it gives the folder; one that is gone meanwhile is left out.
func walkFolder(dir, name string) []string {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return []string{name}
	}
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == "pyvenv.cfg" }) {
		return nil
	}
	var out []string
	for _, e := range entries {
		path := filepath.Join(name, e.Name())
		switch {
		case e.IsDir() && !skipped[e.Name()]:
			out = append(out, walkFolder(filepath.Join(dir, e.Name()), path)...)
		case e.Type().IsRegular() && strings.HasSuffix(e.Name(), ".py"):
			out = append(out, path)
		}
	}
	return out
}
