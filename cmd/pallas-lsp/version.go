package main

import (
	_ "embed" // for the version
	"flag"
	"fmt"
	"runtime/debug"
	"strings"

	"pallas-lsp/rules/jax"
)

// release is the version, in one place: the packages of every kind are made with it.
//
//go:embed VERSION
var release string

var versionCommand = &command{
	name:  "version",
	short: "Print version, commit and the newest release of JAX known",
	usage: "version",
	run:   runVersion,
}

func runVersion(e *env, c *command, args []string) error {
	if _, err := parseFlags(e, c, &flag.FlagSet{}, args); err != nil {
		return err
	}
	_, err := fmt.Fprintf(e.stdout, "pallas-lsp %s\ncommit %s\nnewest JAX known %s\n", version(), commit(), jax.Newest().Version)
	return err
}

// version is that of the release, or of the one that is being worked on.
func version() string { return strings.TrimSpace(release) }

// builtFrom is the commit, as the script says that makes a release.
var builtFrom = "unknown"

// commit is what the binary was built from, as far as it knows.
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || builtFrom != "unknown" {
		return builtFrom
	}
	out := builtFrom
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			out = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			return out + "+dirty"
		}
	}
	return out
}
