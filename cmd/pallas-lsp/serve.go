package main

import (
	"errors"
	"flag"
)

var serveCommand = &command{
	name:  "serve",
	short: "Be a language server on stdin and stdout",
	usage: "serve [--stdio]",
	run:   runServe,
}

func runServe(e *env, c *command, args []string) error {
	var fs flag.FlagSet
	fs.Bool("stdio", true, "talk on stdin and stdout; there is no other way")
	if _, err := parseFlags(e, c, &fs, args); err != nil {
		return err
	}
	return errors.New("not yet")
}
