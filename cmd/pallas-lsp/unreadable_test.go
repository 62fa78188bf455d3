package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestUnreadable has files among the others that can't be read: they are named, the rest is done, and the exit code says that not all was seen.
func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "good.py"), []byte("import jax.experimental.pallas\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "large.py"), make([]byte, 9<<20), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"check", "inspect", "fix"} {
		var out, errs strings.Builder
		code := run(&env{stdin: strings.NewReader(""), stdout: &out, stderr: &errs, dir: dir}, []string{command, "."})
		if code != 1 || !strings.Contains(errs.String(), "large.py") || strings.Contains(errs.String(), "good.py") {
			t.Errorf("%s: exit %d\n%s\n%s", command, code, out.String(), errs.String())
		}
	}
}
