//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestWalk has what a walk must leave out: folders of tools, links, pipes, folders with the name of a file.
func TestWalk(t *testing.T) {
	x := newTool(t, "w/a.py", kernel, "w/.venv/b.py", kernel, "w/node_modules/b.py", kernel, "w/build/b.py", kernel, "w/env/pyvenv.cfg", "", "w/env/b.py", kernel,
		"w/dir.py/c.py", kernel, "outside/d.py", kernel)
	if err := syscall.Mkfifo(filepath.Join(x.dir, "w", "pipe.py"), 0o600); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"w/link.py": "../outside/d.py", "w/linked": "../outside", "w/loop": ".", "w/broken.py": "nowhere"} {
		if err := os.Symlink(to, filepath.Join(x.dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	out, err, _ := x.run("", "check", "--output-format", "concise", "--select", "test-site", "w", "w/a.py")
	if got := strings.Count(out, "test-site"); got != 2 || !strings.Contains(out, "dir.py") || err != "" {
		t.Errorf("%d findings\n%s%s", got, out, err)
	}
	if out, _, _ := x.run("", "check", "--output-format", "concise", "w/build", "w/link.py"); strings.Count(out, "error[test-site]") != 2 {
		t.Errorf("what is named itself is checked: %s", out)
	}
}
