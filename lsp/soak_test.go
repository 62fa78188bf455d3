package lsp

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

var soak = flag.Int("soak", 2000, "edits of the soak test; 100000 in a long run")

// TestSoak types as fast as the pipe takes it, with hovers and cancels between: the state at the end is that of a fresh start, and neither
// goroutines nor memory (C memory included) grow with the edits.
func TestSoak(t *testing.T) {
	c := open(t, everything("utf-16"), "")
	source := text("8")
	c.didOpen(uri1, source)
	at := find(source, "(8, 128), jnp.float32)],")
	at.Character++
	version, size := 1, "8"
	edit := func() {
		version++
		next := []string{"8", "16", "(", "x_ref", "'", "", "8 + 1", "\n8"}[version%8]
		end := position{at.Line + strings.Count(size, "\n"), at.Character + len(size)}
		if i := strings.LastIndexByte(size, '\n'); i >= 0 {
			end.Character = len(size) - i - 1
		}
		size = next
		c.didChange(uri1, version, object{"range": span{at, end}.json(), "text": next})
	}
	run := func(n int) {
		for i := range n {
			edit()
			if i%20 != 0 {
				continue
			}
			id := c.request("textDocument/hover", object{"textDocument": object{"uri": uri1}, "position": find(source, "buf):").json()})
			if i%40 == 0 {
				c.notify("$/cancelRequest", object{"id": c.nextID})
			}
			c.answer(id)
			c.forget()
		}
		c.diagnostics(uri1, version)
	}
	run(*soak / 4)
	goroutines, memory := measure(t)
	run(*soak - *soak/4)
	size = "9"
	version++
	c.didChange(uri1, version, object{"text": text("9")})
	got := c.diagnostics(uri1, version)
	c.forget()
	moreGoroutines, moreMemory := measure(t)
	t.Logf("after %d edits %d goroutines and %d KiB resident, after %d edits %d and %d", *soak/4, goroutines, memory, *soak, moreGoroutines, moreMemory)
	if moreGoroutines > goroutines+10 {
		t.Errorf("%d goroutines, then %d", goroutines, moreGoroutines)
	}
	if moreMemory > memory+64<<10 {
		t.Errorf("%d KiB, then %d", memory, moreMemory)
	}
	fresh := open(t, everything("utf-16"), "")
	fresh.didOpen(uri1, text("9"))
	want := fresh.diagnostics(uri1, 1)
	for i := range got {
		got[i].Data = nil
	}
	for i := range want {
		want[i].Data = nil
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("at the end\n%+v\nafter a fresh start\n%+v", got, want)
	}
	if log := c.log.String(); log != "" {
		t.Errorf("the log says\n%s", log)
	}
}

// forget drops what came back so far, so that the client's own memory does not grow.
func (c *testClient) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.answers)
	if n := len(c.notes); n > 100 {
		c.notes = append(c.notes[:0], c.notes[n-10:]...)
	}
}

// measure returns the goroutines and the resident memory in KiB; 0 where there is no /proc.
func measure(t *testing.T) (goroutines, memory int) {
	t.Helper()
	runtime.GC()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return runtime.NumGoroutine(), 0
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	_, _ = fmt.Sscan(rest, &memory)
	return runtime.NumGoroutine(), memory
}
