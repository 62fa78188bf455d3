package main

import (
	"flag"
	"fmt"
	"runtime/debug"

	"pallas-lsp/rules/jax"
)

// version is set by the build of a release: -ldflags "-X main.version=v1.2.3".
var version = ""

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
	v, commit := buildVersion()
	_, err := fmt.Fprintf(e.stdout, "pallas-lsp %s\ncommit %s\nnewest JAX known %s\n", v, commit, jax.Newest().Version)
	return err
}

// buildVersion asks the binary itself.
func buildVersion() (v, commit string) {
	v, commit = version, "unknown"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return orDev(v), commit
	}
	if v == "" && info.Main.Version != "(devel)" {
		v = info.Main.Version
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			commit = s.Value
		}
	}
	return orDev(v), commit
}

func orDev(v string) string {
	if v == "" {
		return "development"
	}
	return v
}
