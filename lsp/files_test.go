package lsp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// sized is a kernel whose buffer has a size that another file names.
func sized(module string) string {
	return strings.Replace(text("N"), "import jax\n", "import jax\nfrom "+module+" import N\n", 1)
}

// shape is what a hover says of the buffer in a document.
func (c *testClient) shape(uri, source string) string { return c.hover(uri, find(source, "buf):")) }

// renewed does something that has a document analysed again, and waits until it was.
func (c *testClient) renewed(uri string, do func()) {
	c.t.Helper()
	before := 0
	c.until("diagnostics", func() bool { before = len(c.publications(uri)); return before > 0 })
	do()
	c.until("new diagnostics of "+uri, func() bool { return len(c.publications(uri)) > before })
}

func (c *testClient) expectShape(what, uri, source, want string) {
	c.t.Helper()
	if got := c.shape(uri, source); !strings.Contains(got, want) {
		c.t.Errorf("%s: no %q in %q", what, want, got)
	}
}

func inFolder(root, name string) string { return "file://" + root + "/" + name }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestTwoRoots: each file belongs to the innermost folder that holds it; that one's settings and modules are the ones that count.
func TestTwoRoots(t *testing.T) {
	withRules(t, siteRule())
	source := sized("sizes")
	root := folder(t, "one/sizes.py", "N = 8\n", "one/k/a.py", source, "one/pyproject.toml", "[tool.pallas-lsp]\nignore = [\"test-site\"]\n",
		"two/sizes.py", "N = 16\n", "two/k/a.py", source,
		"two/inner/sizes.py", "N = 24\n", "two/inner/k/a.py", source, "two/inner/pyproject.toml", "[tool.pallas-lsp]\nseverity = { test-site = \"hint\" }\n")
	c := start(t)
	folders := []object{{"uri": inFolder(root, "one"), "name": "1"}, {"uri": inFolder(root, "two"), "name": "2"}, {"uri": inFolder(root, "two/inner"), "name": "3"}}
	c.must("initialize", object{"processId": nil, "rootUri": nil, "capabilities": everything("utf-16"), "workspaceFolders": folders}, nil)
	c.notify("initialized", object{})
	one, two, inner := inFolder(root, "one/k/a.py"), inFolder(root, "two/k/a.py"), inFolder(root, "two/inner/k/a.py")
	for _, uri := range []string{one, two, inner} {
		c.didOpen(uri, source)
	}
	c.expectShape("the first", one, source, "float32[8, 128]")
	c.expectShape("the second", two, source, "float32[16, 128]")
	c.expectShape("the one inside", inner, source, "float32[24, 128]")
	if got := c.diagnostics(one, 1); len(got) != 0 {
		t.Errorf("the first root ignores the rule: %+v", got)
	}
	if got := c.diagnostics(two, 1); len(got) != 1 || got[0].Severity != 2 {
		t.Errorf("the second has no settings: %+v", got)
	}
	if got := c.diagnostics(inner, 1); len(got) != 1 || got[0].Severity != 4 {
		t.Errorf("the one inside has its own: %+v", got)
	}
	c.renewed(inner, func() {
		c.notify("workspace/didChangeWorkspaceFolders", object{"event": object{"added": []any{}, "removed": folders[2:]}})
	})
	c.expectShape("the one inside, without a root of its own", inner, source, "float32[16, 128]")
}

// TestOutsideEveryRoot: a file in no folder is checked by itself, with what lies in its own package, and no settings of others.
func TestOutsideEveryRoot(t *testing.T) {
	withRules(t, siteRule())
	source := sized(".sizes")
	root := folder(t, "w/a.py", "", "pyproject.toml", "[tool.pallas-lsp]\nignore = [\"test-site\"]\n", "away/p/__init__.py", "", "away/p/sizes.py", "N = 8\n", "away/p/a.py", source)
	c := open(t, everything("utf-16"), root+"/w")
	uri := inFolder(root, "away/p/a.py")
	c.didOpen(uri, source)
	c.expectShape("with its package", uri, source, "float32[8, 128]")
	if got := c.diagnostics(uri, 1); len(got) != 1 {
		t.Errorf("settings above its package are not its own: %+v", got)
	}
	gone := inFolder(root, "nowhere/at/all.py")
	c.didOpen(gone, text("8"))
	if got := c.diagnostics(gone, 1); len(got) != 1 {
		t.Errorf("a file in a folder that does not exist: %+v", got)
	}
}

// TestRenamedAndDeleted: what a kernel takes from other files follows those files, whichever way the client tells.
func TestRenamedAndDeleted(t *testing.T) {
	for _, told := range []struct {
		name             string
		rename, deletion func(c *testClient, from, to string)
	}{
		{"by file operations",
			func(c *testClient, from, to string) {
				c.notify("workspace/didRenameFiles", object{"files": []object{{"oldUri": from, "newUri": to}}})
			},
			func(c *testClient, path, _ string) {
				c.notify("workspace/didDeleteFiles", object{"files": []object{{"uri": path}}})
			}},
		{"by watched files",
			func(c *testClient, from, to string) {
				c.notify("workspace/didChangeWatchedFiles", object{"changes": []object{{"uri": from, "type": 3}, {"uri": to, "type": 1}}})
			},
			func(c *testClient, path, _ string) {
				c.notify("workspace/didChangeWatchedFiles", object{"changes": []object{{"uri": path, "type": 3}}})
			}},
	} {
		t.Run(told.name, func(t *testing.T) {
			source, moved := sized("p.sizes"), sized("p.dims")
			root := folder(t, "p/__init__.py", "", "p/sizes.py", "N = 8\n", "a.py", source)
			c := open(t, everything("utf-16"), root)
			uri := inFolder(root, "a.py")
			c.didOpen(uri, source)
			c.expectShape("at first", uri, source, "float32[8, 128]")
			c.renewed(uri, func() {
				must(t, os.Rename(filepath.Join(root, "p/sizes.py"), filepath.Join(root, "p/dims.py")))
				told.rename(c, inFolder(root, "p/sizes.py"), inFolder(root, "p/dims.py"))
			})
			c.expectShape("renamed", uri, source, "sizes.N, 128]")
			c.didChange(uri, 2, object{"text": moved})
			c.expectShape("under its new name", uri, moved, "float32[8, 128]")
			c.diagnostics(uri, 2)
			c.renewed(uri, func() {
				must(t, os.RemoveAll(filepath.Join(root, "p")))
				told.deletion(c, inFolder(root, "p"), "")
			})
			c.expectShape("with the folder gone", uri, moved, "dims.N, 128]")
		})
	}
}

// TestHelperIsDeleted: what was found in a file that is gone is taken back.
func TestHelperIsDeleted(t *testing.T) {
	loads := &rule.Rule{Name: "test-load", Page: "---\nname: test-load\nseverity: warning\nsilent: x\n---\n"}
	loads.Kernel = func(p *rule.Pass, k *infer.Kernel) {
		for _, e := range k.Events {
			if e.Op == infer.OpLoad {
				p.Report(e.Loc, "loaded")
			}
		}
	}
	withRules(t, loads)
	kernel := strings.Replace(strings.Replace(text("8"), "import jax\n", "import jax\nfrom helper import load\n", 1), "= x_ref[...]", "= load(x_ref)", 1)
	root := folder(t, "a.py", kernel, "helper.py", "def load(ref):\n    return ref[...]\n")
	uri, helper := inFolder(root, "a.py"), inFolder(root, "helper.py")
	c := open(t, everything("utf-16"), root)
	c.didOpen(uri, kernel)
	last := func(n int) func() bool {
		return func() bool {
			all := c.publications(helper)
			return len(all) > 0 && len(all[len(all)-1].Diagnostics) == n
		}
	}
	c.until("the finding in the helper", last(1))
	must(t, os.Remove(filepath.Join(root, "helper.py")))
	c.notify("workspace/didDeleteFiles", object{"files": []object{{"uri": helper}}})
	c.until("the end of the finding in a file that is gone", last(0))
}

// TestImportedFilesThatCannotBeRead: a link to itself, a link in a circle, a folder, nothing at all: the kernel is checked without them.
func TestImportedFilesThatCannotBeRead(t *testing.T) {
	source := sized("sizes")
	for name, make := range map[string]func(root string) error{
		"a link to itself":   func(root string) error { return os.Symlink("sizes.py", filepath.Join(root, "sizes.py")) },
		"a link to nothing":  func(root string) error { return os.Symlink("nothing.py", filepath.Join(root, "sizes.py")) },
		"a folder":           func(root string) error { return os.Mkdir(filepath.Join(root, "sizes.py"), 0o755) },
		"a link to its root": func(root string) error { return os.Symlink(".", filepath.Join(root, "sizes")) },
		"a circle of links": func(root string) error {
			if err := os.Symlink("other", filepath.Join(root, "sizes")); err != nil {
				return err
			}
			return os.Symlink("sizes", filepath.Join(root, "other"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			root := folder(t, "a.py", source)
			must(t, make(root))
			c := open(t, everything("utf-16"), root)
			c.didOpen(inFolder(root, "a.py"), source)
			c.expectShape(name, inFolder(root, "a.py"), source, "sizes.N, 128]")
			if log := c.log.String(); log != "" {
				t.Errorf("the log says\n%s", log)
			}
		})
	}
}
