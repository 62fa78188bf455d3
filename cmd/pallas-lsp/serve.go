package main

import (
	"context"
	"flag"
	"io"

	"pallas-lsp/lsp"
)

var serveCommand = &command{
	name:  "serve",
	short: "Be a language server on stdin and stdout",
	usage: "serve [--stdio]",
	run:   runServe,
}

// stdio is standard input and output as one stream.
type stdio struct {
	io.Reader
	io.Writer
}

// Close does nothing: the process ends with the session.
func (stdio) Close() error { return nil }

func runServe(e *env, c *command, args []string) error {
	var fs flag.FlagSet
	fs.Bool("stdio", true, "talk on stdin and stdout; there is no other way")
	if _, err := parseFlags(e, c, &fs, args); err != nil {
		return err
	}
	if code := lsp.Serve(context.Background(), stdio{e.stdin, e.stdout}, e.stderr, version()); code != 0 {
		return exit(code)
	}
	return nil
}
