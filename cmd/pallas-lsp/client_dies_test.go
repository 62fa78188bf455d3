//go:build unix

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"testing"
)

// session is a server in a process of its own, that was initialized for a client with the given process.
type session struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out io.ReadCloser
}

func startSession(t *testing.T, client int) *session {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), processTime)
	t.Cleanup(cancel)
	cmd := process(ctx, t, t.TempDir(), "serve")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s := &session{cmd, in, out}
	s.send(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":%d,"rootUri":null,"capabilities":{}}}`, client))
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || !strings.HasPrefix(line, "Content-Length") {
		t.Fatalf("the answer to initialize begins %q: %v", line, err)
	}
	return s
}

func (s *session) send(t *testing.T, body string) {
	t.Helper()
	if _, err := fmt.Fprintf(s.in, "Content-Length: %d\r\n\r\n%s", len(body), body); err != nil {
		t.Fatal(err)
	}
}

// ends waits for the process; the context of startSession bounds that.
func (s *session) ends(t *testing.T) {
	t.Helper()
	_ = s.cmd.Wait()
	if code := s.cmd.ProcessState.ExitCode(); code != 1 {
		t.Errorf("the server ended with %v, not because its client is gone", s.cmd.ProcessState)
	}
}

// TestClientDies: a client that is gone without a word ends the server, although somebody else holds the other ends of its pipes.
func TestClientDies(t *testing.T) {
	client := exec.Command("cat")
	hold, err := client.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer hold.Close()
	if err := client.Start(); err != nil {
		t.Fatal(err)
	}
	s := startSession(t, client.Process.Pid)
	if err := client.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = client.Wait() // or its process would still be seen
	s.ends(t)
}

// TestClientCloses: the end of the pipe is the end of the session.
func TestClientCloses(t *testing.T) {
	s := startSession(t, 0)
	s.in.Close()
	s.ends(t)
}
