package lsp

import (
	"errors"
	"os"
	"runtime"
	"syscall"
	"time"
)

// parentInterval is how often the client's process is looked for.
const parentInterval = 3 * time.Second

// watchParent ends the session when the client's process is gone without having said so. A process that is not seen at the
// start, as in another container, is not watched.
func (s *Server) watchParent(pid int) {
	if pid <= 0 || !alive(pid) {
		return
	}
	go func() {
		for range time.Tick(parentInterval) {
			if !alive(pid) {
				s.exit <- s.exitCode()
				return
			}
		}
	}()
}

// alive reports whether a process exists, whoever owns it.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer p.Release()
	if runtime.GOOS == "windows" { // there FindProcess fails for a process that is gone
		return true
	}
	err = p.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, syscall.EPERM)
}
