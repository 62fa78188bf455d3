//go:build unix

package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
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

// TestForbidden has a file and a folder that nobody may read.
func TestForbidden(t *testing.T) {
	x := newTool(t, "w/good.py", kernel, "w/secret.py", kernel, "w/folder/a.py", kernel)
	for path, mode := range map[string]os.FileMode{".": 0o755, "..": 0o755, "w/secret.py": 0, "w/folder": 0} {
		if err := os.Chmod(filepath.Join(x.dir, path), mode); err != nil {
			t.Fatal(err)
		}
	}
	defer os.Chmod(filepath.Join(x.dir, "w/folder"), 0o755) // or it can't be taken away
	cmd := process(context.Background(), t, filepath.Join(x.dir, "w"), "check", ".")
	cmd.Env = append(cmd.Env, asTool+"=nobody")
	if os.Getuid() != 0 {
		cmd.Env = append(cmd.Env, asTool+"=1")
	}
	o := finish(t, cmd)
	if o.code != 1 || !strings.Contains(o.stderr, "secret.py: permission denied") || !strings.Contains(o.stderr, "folder: permission denied") || strings.Contains(o.stderr, "good.py") {
		t.Errorf("exit %d\n%s\n%s", o.code, o.stdout, o.stderr)
	}
}

// TestNamedThemselves names what is no file on the command line: each is left out with its reason, and the others are checked.
func TestNamedThemselves(t *testing.T) {
	const plain = "import jax.experimental.pallas\n"
	x := newTool(t, "a.py", plain, "dir.py/b.py", kernel)
	if err := syscall.Mkfifo(filepath.Join(x.dir, "pipe.py"), 0o600); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"itself.py": "itself.py", "one.py": "two.py", "two.py": "one.py", "nowhere.py": "gone.py", "null.py": "/dev/null"} {
		if err := os.Symlink(to, filepath.Join(x.dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	bad := []string{"pipe.py", "itself.py", "one.py", "nowhere.py", "null.py"}
	for _, command := range []string{"check", "fix", "inspect"} {
		args := append(append([]string{command, "a.py"}, bad...), "a.py")
		out, err, code := x.run("", args...)
		if code != 1 || strings.Contains(err, "a.py") {
			t.Errorf("%s: exit %d\n%s%s", command, code, out, err)
		}
		for _, name := range bad {
			if !strings.Contains(err, "pallas-lsp: "+name+": ") {
				t.Errorf("%s: nothing is said of %s\n%s", command, name, err)
			}
		}
	}
	if out, _, _ := x.run("", "check", "--output-format", "concise", "--select", "test-site", "dir.py"); !strings.Contains(out, "b.py:") {
		t.Errorf("a folder with the name of a file is walked: %s", out)
	}
	if _, err, code := x.run("", "check", "a.py", "none.py"); code != 2 || !strings.Contains(err, "none.py") {
		t.Errorf("what is not there at all: exit %d, %s", code, err)
	}
}

// TestFilesThatChange checks a folder over and over while its files are rewritten, cut off, taken away, and become folders, pipes and links:
// whatever is met, the program ends as it should.
func TestFilesThatChange(t *testing.T) {
	x := newTool(t, "w/sizes.py", "N = 8\n", "w/a.py", "from sizes import N\n"+kernel)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
				change(filepath.Join(x.dir, "w", []string{"a.py", "sizes.py"}[i%2]), i/2)
			}
		}
	})
	for range 15 {
		runProcess(t, filepath.Join(x.dir, "w"), "check", ".").bounded(t, "while files change")
	}
	close(stop)
	wg.Wait()
}

// change makes a path something else; what fails is made up for the next time.
func change(path string, i int) {
	_ = os.RemoveAll(path)
	switch i % 7 {
	case 0:
		_ = os.WriteFile(path, []byte(kernel), 0o644)
	case 1:
		_ = os.WriteFile(path, []byte(kernel[:len(kernel)/2]), 0o644)
		_ = os.Truncate(path, 10)
	case 2:
		_ = os.WriteFile(path, []byte(strings.Repeat("x = 1\n", 100_000)), 0o644)
	case 3:
		_ = errors.Join(os.Mkdir(path, 0o755), os.WriteFile(filepath.Join(path, "b.py"), []byte(kernel), 0o644))
	case 4:
		_ = syscall.Mkfifo(path, 0o600)
	case 5:
		_ = os.Symlink(filepath.Base(path), path)
	}
}
