package main

import (
	"strings"
	"testing"
)

func TestPicture(t *testing.T) {
	x := newTool(t, "a.py", kernel, "empty.py", "x = 1\n")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"a.py"}, "kernel on a TensorCore\n╭─"},
		{[]string{"a.py:kernel"}, "core ──▶ o_ref"},
		{[]string{"a.py", "--format", "svg"}, "<svg "},
		{[]string{"--format", "mermaid", "a.py:kernel", "--chip", "v5e"}, "VMEM, 4 KiB of 16 MiB"},
	} {
		out, stderr, code := x.run("", append([]string{"picture"}, c.args...)...)
		if code != 0 || !strings.Contains(out, c.want) {
			t.Errorf("%v: %d %s\n%s", c.args, code, stderr, out)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"a.py:none"}, `no kernel "none"; there are kernel`},
		{[]string{"empty.py"}, "has no kernels"},
		{[]string{"missing.py:kernel"}, "missing.py"},
		{[]string{"."}, "is a folder"},
		{[]string{"a.py", "--format", "png"}, "is none of"},
		{nil, "needs one file"},
	} {
		if _, stderr, code := x.run("", append([]string{"picture"}, c.args...)...); code != 2 || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: %d %s", c.args, code, stderr)
		}
	}
}
