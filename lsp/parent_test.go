package lsp

import (
	"os"
	"testing"
)

func TestAlive(t *testing.T) {
	if !alive(os.Getpid()) || !alive(1) {
		t.Error("a process that runs is not seen")
	}
	if alive(1 << 30) {
		t.Error("a process is seen that can't be")
	}
}

// TestParentNotSeen: a client whose process can't be seen, as in another container, is not watched, so the session goes on.
func TestParentNotSeen(t *testing.T) {
	c := start(t)
	c.must("initialize", object{"processId": 1 << 30, "rootUri": nil, "capabilities": object{}}, nil)
	c.must("shutdown", nil, nil)
}
