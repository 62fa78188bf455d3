// Command pallas-lsp finds mistakes in JAX Pallas kernels: as a language server in the editor, as a checker at the terminal.
// This package holds flags and subcommands only.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"time"
)

// env is what a subcommand may touch.
type env struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	dir            string // the working folder
	colour         bool
	version        string
	progress       io.Writer     // where the state of a long run is shown; nil: nowhere
	patience       time.Duration // before it is shown
}

// command is one subcommand.
type command struct {
	name  string
	short string
	usage string // what follows the program's name in the first line of the help
	long  string
	run   func(*env, *command, []string) error
}

var commands []*command

func init() {
	commands = []*command{serveCommand, checkCommand, fixCommand, inspectCommand, pictureCommand, explainCommand, rulesCommand, versionCommand}
}

// exit is an error that only sets the exit code: 1 for findings, nothing to say.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit %d", int(e)) }

// memoryLimit is where the collector begins to work harder, in bytes: above what a file of twenty thousand kernels keeps, or it would do nothing else,
// and well below what may be used for a file in all.
const memoryLimit = 512 << 20

func main() {
	debug.SetGCPercent(300) // most of what an analysis allocates is garbage when it ends
	debug.SetMemoryLimit(memoryLimit)
	dir, err := os.Getwd()
	if err != nil {
		dir = ""
	}
	smart := os.Getenv("TERM") != "dumb"
	e := &env{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, dir: dir, version: version(), patience: patience}
	e.colour = smart && isTerminal(os.Stdout) && os.Getenv("NO_COLOR") == ""
	if smart && isTerminal(os.Stderr) {
		e.progress = os.Stderr
	}
	os.Exit(run(e, os.Args[1:]))
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// run returns the exit code: 0, 1 for findings, 2 when we failed ourselves.
func run(e *env, args []string) int {
	err := dispatch(e, args)
	var code exit
	switch {
	case err == nil, errors.Is(err, errHelp):
		return 0
	case errors.As(err, &code):
		return int(code)
	}
	fmt.Fprintf(e.stderr, "pallas-lsp: %v\n", err)
	return 2
}

func dispatch(e *env, args []string) error {
	if len(args) == 0 {
		return serveCommand.run(e, serveCommand, nil)
	}
	switch args[0] {
	case "-h", "--help", "-help", "help":
		return help(e, args[1:])
	case "-V", "--version", "-version":
		return versionCommand.run(e, versionCommand, nil)
	case "--stdio", "-stdio":
		return serveCommand.run(e, serveCommand, args)
	}
	if c := find(args[0]); c != nil {
		return c.run(e, c, args[1:])
	}
	return fmt.Errorf("%q is no subcommand; see pallas-lsp --help", args[0])
}

func find(name string) *command {
	for _, c := range commands {
		if c.name == name {
			return c
		}
	}
	return nil
}

func help(e *env, args []string) error {
	if len(args) > 0 {
		if c := find(args[0]); c != nil {
			return c.run(e, c, []string{"--help"})
		}
	}
	var b strings.Builder
	b.WriteString("pallas-lsp finds mistakes in JAX Pallas kernels without running them.\n\nUsage: pallas-lsp [SUBCOMMAND] [OPTIONS]\n\n")
	for _, c := range commands {
		fmt.Fprintf(&b, "  %-9s %s\n", c.name, c.short)
	}
	b.WriteString("\nWithout a subcommand it is the language server on stdin and stdout.\n`pallas-lsp SUBCOMMAND --help` says more.\n")
	_, err := io.WriteString(e.stdout, b.String())
	return err
}
