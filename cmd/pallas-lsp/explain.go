package main

import "errors"

var explainCommand = &command{name: "explain", short: "Explain a rule, or an error that JAX printed", usage: "explain [NAME] [--json]",
	run: func(*env, *command, []string) error { return errors.New("not yet") }}
