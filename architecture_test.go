// Package architecture holds ARCHITECTURE.md against the imports of every package.
package architecture

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "pallas-lsp"

// may says which of our own packages each package may import. A folder of rules that is not listed is a topic.
var may = map[string][]string{
	"parse":           {},
	"rules/jax":       {},
	"rules/infer":     {"parse", "rules/jax"},
	"rules/rule":      {"parse", "rules/jax", "rules/infer"},
	"rules":           {"parse", "rules/jax", "rules/infer", "rules/rule", "rules/edit", topic},
	"rules/config":    {"rules", "rules/jax", "rules/rule"},
	"rules/workspace": {"parse", "rules", "rules/jax", "rules/infer", "rules/rule", "rules/config"},
	"rules/inspect":   {"parse", "rules/jax", "rules/infer", "rules/usage", "rules/workspace"},
	"rules/picture":   {"parse", "rules/jax", "rules/infer", "rules/inspect"},
	"rules/report":    {"parse", "rules", "rules/rule", "rules/control", "rules/workspace"},
	"rules/fix":       {"parse", "rules/rule", "rules/workspace"},
	"rules/explain":   {"parse", "rules", "rules/jax", "rules/rule", "rules/workspace"},
	"lsp":             {"parse", "rules", anyBelowRules},
	"cmd/pallas-lsp":  {"parse", "rules", anyBelowRules, "lsp"},
	topic:             {"parse", "rules/jax", "rules/infer", "rules/rule", "rules/edit", "rules/stage", "rules/usage"},
	"rules/usage":     {"parse", "rules/jax", "rules/infer"},
	"rules/stage":     {"parse", "rules/jax", "rules/infer", "rules/rule", "rules/edit"},
	"rules/edit":      {"parse", "rules/jax", "rules/infer", "rules/rule"},
}

const (
	topic         = "rules/<topic>"
	anyBelowRules = "rules/..."
)

// only says which packages alone may import a foreign one; a prefix stands for all below it. An empty list is nobody.
var only = map[string][]string{
	"C":                                 {"parse"},
	"unsafe":                            {"parse"},
	"github.com/smacker/go-tree-sitter": {"parse"},
	"go.lsp.dev":                        {"lsp"},
	"github.com/BurntSushi/toml":        {"rules/config"},
	"os":                                {"cmd/pallas-lsp", "lsp", "rules/workspace"},
	"os/exec":                           {},
	"os/signal":                         {"cmd/pallas-lsp"},
	"io/ioutil":                         {},
	"net":                               {},
	"net/url":                           {"rules/report"}, // the text of an address, no connection
	"plugin":                            {},
	"syscall":                           {"lsp", "rules/workspace"},
	"runtime/cgo":                       {},
}

// imports returns the imports of each package, by folder, without those of tests.
func imports(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "editors" || d.Name() != "." && strings.HasPrefix(d.Name(), ".")) {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		if f.Name.Name == "main" && !strings.HasPrefix(path, "cmd") {
			return nil // a generator that is run by hand
		}
		dir := filepath.ToSlash(filepath.Dir(path))
		for _, spec := range f.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if !slices.Contains(out[dir], name) {
				out[dir] = append(out[dir], name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 10 {
		t.Fatalf("only %d packages were found", len(out))
	}
	return out
}

// kind is the entry of may for a folder.
func kind(dir string) string {
	if _, known := may[dir]; known {
		return dir
	}
	if rest, ok := strings.CutPrefix(dir, "rules/"); ok && !strings.Contains(rest, "/") {
		return topic
	}
	return ""
}

func TestOwnImports(t *testing.T) {
	for dir, names := range imports(t) {
		allowed, known := may[kind(dir)]
		if !known {
			t.Errorf("%s: ARCHITECTURE.md and this test know no such place", dir)
			continue
		}
		for _, name := range names {
			own, ok := strings.CutPrefix(name, module+"/")
			if ok && !permits(allowed, own) {
				t.Errorf("%s must not import %s", dir, own)
			}
		}
	}
}

func permits(allowed []string, own string) bool {
	return slices.Contains(allowed, own) || slices.Contains(allowed, kind(own)) ||
		strings.HasPrefix(own, "rules/") && slices.Contains(allowed, anyBelowRules)
}

func TestForeignImports(t *testing.T) {
	for dir, names := range imports(t) {
		for _, name := range names {
			if who, ok := restricted(name); ok && !slices.Contains(who, dir) {
				t.Errorf("%s must not import %s", dir, name)
			}
		}
	}
}

// restricted finds the longest entry of only that name falls under.
func restricted(name string) ([]string, bool) {
	for prefix := name; ; {
		if who, ok := only[prefix]; ok {
			return who, true
		}
		i := strings.LastIndexByte(prefix, '/')
		if i < 0 {
			return nil, false
		}
		prefix = prefix[:i]
		if prefix == "os" { // os/exec has its own entry, other folders of os are not os
			return nil, false
		}
	}
}
