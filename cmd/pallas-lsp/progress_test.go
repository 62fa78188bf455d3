package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

// many are files that take a check some steps.
func many(t *testing.T) *tool {
	t.Helper()
	var files []string
	for i := range 20 {
		files = append(files, fmt.Sprintf("m/%02d.py", i), kernel)
	}
	return newTool(t, files...)
}

func TestProgressIsShownAtATerminalAndGoesAway(t *testing.T) {
	x := many(t)
	var terminal, out bytes.Buffer
	e := &env{stdin: strings.NewReader(""), stdout: &out, stderr: io.Discard, dir: x.dir, progress: &terminal}
	if code := run(e, []string{"check", "m"}); code != 1 {
		t.Fatalf("exit %d", code)
	}
	got := terminal.String()
	if !strings.HasPrefix(got, "\r\x1b[K1 of 20 files") {
		t.Errorf("it begins with %q", got)
	}
	if !strings.HasSuffix(got, "\r\x1b[K") {
		t.Errorf("the line stays: %q", got)
	}
	if strings.Contains(out.String(), "of 20 files") {
		t.Error("it went to standard output")
	}
}

func TestShortRunsShowNoProgress(t *testing.T) {
	x := many(t)
	var terminal bytes.Buffer
	run(&env{stdin: strings.NewReader(""), stdout: io.Discard, stderr: io.Discard, dir: x.dir, progress: &terminal, patience: time.Hour}, []string{"check", "m"})
	if terminal.Len() > 0 {
		t.Errorf("%q", terminal.String())
	}
}
