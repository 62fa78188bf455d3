package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"

	"pallas-lsp/parse"
	"pallas-lsp/rules/config"
	"pallas-lsp/rules/inspect"
	"pallas-lsp/rules/workspace"
)

var inspectCommand = &command{
	name:  "inspect",
	short: "Show what was inferred: kernels, refs, copies",
	usage: "inspect [--json] [--chip CHIP] PATH...",
	long:  "Shows each kernel with the memory of its refs, what decided it, what it takes of the memories of its core, and what it does, in order.",
	run:   runInspect,
}

func runInspect(e *env, c *command, args []string) error {
	var fs flag.FlagSet
	var flags choices
	asJSON := fs.Bool("json", false, "one JSON object a file, each on a line")
	stdinName := fs.String("stdin-filename", "stdin.py", "the `PATH` that standard input stands for")
	flags.target(&fs)
	paths, err := parseFlags(e, c, &fs, args)
	if err != nil {
		return err
	}
	if err := needPaths(c, paths); err != nil {
		return err
	}
	over, err := flags.options()
	if err != nil {
		return err
	}
	sources, err := e.sources(paths, *stdinName)
	if err != nil {
		return err
	}
	if err := noNotebook(c, sources); err != nil {
		return err
	}
	return e.inspect(paths, sources, over, *asJSON)
}

// noNotebook refuses notebooks where lines are told without their cell.
func noNotebook(c *command, sources []*source) error {
	for _, s := range sources {
		if workspace.IsNotebook(s.path) {
			return fmt.Errorf("%s: %s takes files of Python; notebooks are for check, fix and the editor", s.path, c.name)
		}
	}
	return nil
}

func (e *env) inspect(paths []string, sources []*source, over *config.Options, asJSON bool) error {
	w := e.workspaceOf(paths, over)
	texts := each(e, sources, func(s *source) []byte { return e.inspectOne(w, s, asJSON) })
	skipped := e.skipped(sources)
	for _, t := range texts {
		if _, err := e.stdout.Write(t); err != nil {
			return err
		}
	}
	return skipped
}

func (e *env) inspectOne(w *workspace.Workspace, s *source, asJSON bool) []byte {
	f := inspect.Of(w.Infer(parse.Parse(e.abs(s.path), s.text)), e.style().Name)
	var b bytes.Buffer
	if asJSON {
		_ = json.NewEncoder(&b).Encode(f) // a buffer takes everything
		return b.Bytes()
	}
	_ = inspect.Text(&b, f)
	return b.Bytes()
}
