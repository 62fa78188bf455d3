//go:build linux

package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTraced looks at the calls that the program makes of the kernel while it checks a folder that tries to lure it out: no process is
// started, no socket opened, nothing written, and nothing read outside but what the runtime needs.
func TestTraced(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil && os.Getenv("PALLAS_NEED_STRACE") != "" {
		t.Fatal("strace is needed to hold SECURITY.md: install it")
	}
	if err != nil {
		t.Skip("strace is not installed; CI has it")
	}
	x := newTool(t, "out/secret.py", "import os\nSECRET = 1\n", "out/pkg/__init__.py", "", "out/p.toml", "[tool.pallas-lsp]\nchip = \"v4\"\n",
		"w/setup.py", "import os; os.system('touch ran')\n", "w/sitecustomize.py", "raise SystemExit\n", "w/conftest.py", "import subprocess\n",
		"w/a.py", "import linked, pkg.m\nfrom ..out import secret\nfrom linked import *\nimport jax\n__import__('os').system('touch ran')\n"+kernel)
	for link, to := range map[string]string{"w/linked.py": "../out/secret.py", "w/pkg": "../out/pkg", "w/pyproject.toml": "../out/p.toml", "w/uv.lock": "/etc/passwd",
		"w/requirements.txt": "/etc/hostname", "w/.venv": "../out", "w/loop": "."} {
		if err := os.Symlink(to, filepath.Join(x.dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	log := filepath.Join(x.dir, "trace")
	run := process(context.Background(), t, filepath.Join(x.dir, "w"), "check", ".")
	cmd := exec.Command(strace, append([]string{"-f", "-qq", "-s", "300", "-o", log, "-e",
		"trace=execve,execveat,fork,vfork,socket,connect,bind,open,openat,openat2,creat,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,link,linkat,symlink,symlinkat,truncate,chmod,fchmodat"},
		run.Args...)...)
	cmd.Path, cmd.Args[0] = strace, strace
	cmd.Dir = run.Dir
	cmd.Env = append(run.Env, "VIRTUAL_ENV=", "CONDA_PREFIX=")
	out, err := cmd.CombinedOutput()
	if err != nil && !strings.Contains(err.Error(), "exit status 1") {
		t.Fatalf("%v: %s", err, out)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	calls := strings.Split(strings.TrimSpace(string(text)), "\n")
	seen := false
	execs := 0
	for _, call := range calls {
		seen = seen || strings.Contains(call, `a.py"`)
		if strings.Contains(call, "execve(") {
			execs++
			continue
		}
		x.harmless(call)
	}
	if !seen || execs != 1 {
		t.Errorf("the trace shows %d programs, and that the kernel was read: %v\n%s", execs, seen, text)
	}
}

var opened = regexp.MustCompile(`open(?:at2?)?\([^"]*"([^"]*)"(?:, ([A-Z_|0-9]+))?(?:.*\) = (-?\d+))?`)

// harmless checks one line of a trace.
func (x *tool) harmless(call string) {
	x.t.Helper()
	m := opened.FindStringSubmatch(call)
	if m == nil {
		if strings.Contains(call, "(") && !strings.Contains(call, "resumed>") {
			x.t.Errorf("it calls %s", call)
		}
		return
	}
	path, flags := m[1], m[2]
	for _, bad := range []string{"O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"} {
		if strings.Contains(flags, bad) {
			x.t.Errorf("it writes: %s", call)
		}
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(x.dir, "w", path)
	}
	switch {
	case strings.HasPrefix(path, filepath.Join(x.dir, "w")), m[3] == "-1":
	case strings.HasPrefix(path, "/sys/"), strings.HasPrefix(path, "/proc/"), strings.HasPrefix(path, "/lib"), strings.HasPrefix(path, "/usr/lib"), path == "/etc/ld.so.cache", path == "/etc/localtime", path == "/dev/null":
	default:
		x.t.Errorf("it reads outside: %s", call)
	}
}
