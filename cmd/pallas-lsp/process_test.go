//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// asTool in the environment makes the test's binary be the program itself, so that a test can look at a whole process.
const asTool = "PALLAS_LSP_TEST_AS_TOOL"

func TestMain(m *testing.M) {
	if as := os.Getenv(asTool); as != "" {
		os.Unsetenv(asTool)
		if as == "nobody" {
			becomeNobody()
		}
		limitCPU()
		main()
	}
	os.Exit(m.Run())
}

// becomeNobody takes the right to read everything from a process of root.
func becomeNobody() {
	const nobody = 65534
	if err := errors.Join(syscall.Setgroups(nil), syscall.Setgid(nobody), syscall.Setuid(nobody)); err != nil {
		panic(err)
	}
}

// limitCPU ends a process that never ends by itself. It is processor time, as a machine may be busy with other things.
func limitCPU() {
	const seconds = 4 * uint64(cpuLimit/time.Second) * raceFactor
	if err := syscall.Setrlimit(syscall.RLIMIT_CPU, &syscall.Rlimit{Cur: seconds, Max: seconds}); err != nil {
		panic(err)
	}
}

// process is the program as a process of its own in a folder.
func process(ctx context.Context, t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, exe, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), asTool+"=1")
	return cmd
}

// outcome is what a process left.
type outcome struct {
	stdout, stderr string
	code           int
	cpu            time.Duration
	peak           int64 // bytes
}

// processTime is when a process is taken for one that waits for ever.
const processTime = 10 * time.Minute

func runProcess(t *testing.T, dir string, args ...string) outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), processTime)
	defer cancel()
	return finish(t, process(ctx, t, dir, args...))
}

func finish(t *testing.T, cmd *exec.Cmd) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	state := cmd.ProcessState
	return outcome{stdout.String(), stderr.String(), state.ExitCode(), state.UserTime() + state.SystemTime(), peakOf(state)}
}

// peakOf is the most memory that a process had, C memory included.
func peakOf(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return usage.Maxrss << 10
}

// Every file, whatever is in it, is done with within these.
const (
	cpuLimit  = 5 * time.Second
	peakLimit = 1 << 30
)

// yardstick is what slowness measures takes on a processor that does nothing else.
const yardstick = 100 * time.Millisecond

// slowness is how many times more processor time than usual is needed now for the same work: others share caches and cores. It is at least 1.
func slowness() float64 {
	begin := processorTime()
	numbers := make([]uint32, 1<<20)
	for i, x := 0, uint32(1); i < len(numbers); i++ {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		numbers[i] = x
	}
	slices.Sort(numbers)
	return max(1, float64(processorTime()-begin)/float64(yardstick))
}

// processorTime is that of the test's own process.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// bounded checks that a process ended as it should: in time, within its memory, without a word about goroutines.
func (o outcome) bounded(t *testing.T, what string) {
	t.Helper()
	if o.code != 0 && o.code != 1 {
		t.Errorf("%s: exit code %d, %.2000s", what, o.code, o.stderr)
	}
	if strings.Contains(o.stdout+o.stderr, "goroutine ") || strings.Contains(o.stderr, "failed and was left out") {
		t.Errorf("%s: a fault of our own: %.2000s", what, o.stderr)
	}
	if o.cpu > cpuLimit*raceFactor && float64(o.cpu) > float64(cpuLimit*raceFactor)*slowness() {
		t.Errorf("%s: %v of processor time", what, o.cpu)
	}
	if o.peak > peakLimit*raceFactor {
		t.Errorf("%s: %d MiB", what, o.peak>>20)
	}
}
