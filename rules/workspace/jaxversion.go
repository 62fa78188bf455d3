package workspace

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"pallas-lsp/rules/config"
)

// maxLock bounds the lock files that are read, in bytes.
const maxLock = 16 << 20

// DetectJAX finds the version of JAX that the project at root uses, and where that is written: in the active environment, in
// the project's own, in a lock file, or as an exact pin. Nothing is run. Both are empty when it finds none.
// getenv is os.Getenv but in tests.
func DetectJAX(root string, getenv func(string) string) (version, source string) {
	for _, env := range environments(root, getenv) {
		if v := installed(env); v != "" {
			return v, env
		}
	}
	for _, name := range []string{"uv.lock", "poetry.lock", "pdm.lock", "pylock.toml"} {
		if v := locked(filepath.Join(root, name)); v != "" {
			return v, name
		}
	}
	for _, name := range pinFiles(root) {
		if v := pinned(name); v != "" {
			return v, filepath.Base(name)
		}
	}
	return "", ""
}

func environments(root string, getenv func(string) string) []string {
	var out []string
	for _, name := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if dir := getenv(name); filepath.IsAbs(dir) {
			out = append(out, dir)
		}
	}
	return append(out, filepath.Join(root, ".venv"), filepath.Join(root, "venv"))
}

var distInfo = regexp.MustCompile(`^jax-([0-9][0-9A-Za-z.+!]*)\.dist-info$`)

// installed reads the names of the metadata folders of an environment.
func installed(env string) string {
	for _, dir := range sitePackages(env) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if m := distInfo.FindStringSubmatch(e.Name()); m != nil && e.IsDir() {
				return m[1]
			}
		}
	}
	return ""
}

var globMeta = regexp.MustCompile(`[*?\[\\]`)

func quoteGlob(path string) string {
	if filepath.Separator == '\\' {
		return path
	}
	return globMeta.ReplaceAllString(path, `\$0`)
}

// locked reads the lock files of uv, Poetry, PDM and the standard pylock: [[package]] (or [[packages]]) with name and version.
func locked(path string) string {
	text, ok := readRegular(path, maxLock)
	if !ok || !strings.Contains(string(text), "jax") {
		return ""
	}
	type pkg struct{ Name, Version string }
	var lock struct {
		Package  []pkg `toml:"package"`
		Packages []pkg `toml:"packages"`
	}
	if config.Decode(string(text), &lock) != nil {
		return ""
	}
	for _, p := range append(lock.Package, lock.Packages...) {
		if p.Name == "jax" {
			return p.Version
		}
	}
	return ""
}

func pinFiles(root string) []string {
	found, _ := filepath.Glob(filepath.Join(quoteGlob(root), "requirements*.txt"))
	slices.Sort(found)
	return append(found, filepath.Join(root, "pyproject.toml"))
}

var pin = regexp.MustCompile(`(?m)(?:^|["'])\s*jax\s*(?:\[[^\]]*\])?\s*===?\s*([0-9][0-9A-Za-z.]*)`)

func pinned(path string) string {
	text, ok := readRegular(path, maxLock)
	if !ok {
		return ""
	}
	if m := pin.FindSubmatch(text); m != nil {
		return strings.TrimSuffix(string(m[1]), ".")
	}
	return ""
}
