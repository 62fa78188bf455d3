package main

import "errors"

var fixCommand = &command{name: "fix", short: "Apply the quick fixes that are safe", usage: "fix [--diff] [--unsafe-fixes] PATH...",
	run: func(*env, *command, []string) error { return errors.New("not yet") }}
