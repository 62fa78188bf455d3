package main

import (
	"flag"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"pallas-lsp/rules/report"
	"pallas-lsp/rules/rule"
	"pallas-lsp/rules/workspace"
)

var checkCommand = &command{
	name:  "check",
	short: "Find mistakes in kernels",
	usage: "check [OPTIONS] PATH...",
	long:  "Checks files of Python, notebooks (.ipynb), and the .py files in folders; - reads standard input.\nExits with 1 when a finding is an error or something could not be read, 2 when the check itself failed, else 0.",
	run:   runCheck,
}

func runCheck(e *env, c *command, args []string) error {
	var fs flag.FlagSet
	var flags choices
	format := fs.String("output-format", "full", "`FORMAT` is "+strings.Join(report.Formats, ", "))
	stdinName := fs.String("stdin-filename", "stdin.py", "the `PATH` that standard input stands for")
	flags.register(&fs)
	paths, err := parseFlags(e, c, &fs, args)
	if err != nil {
		return err
	}
	if !slices.Contains(report.Formats, *format) {
		return fmt.Errorf("--output-format: %q is none of %s", *format, strings.Join(report.Formats, ", "))
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
	return e.check(e.workspaceOf(paths, over), sources, *format)
}

func (e *env) check(w *workspace.Workspace, sources []*source, format string) error {
	w.Still, w.Workers = true, runtime.GOMAXPROCS(0)/max(1, len(sources))
	analyses := each(e, sources, func(s *source) *workspace.Analysis { return e.analyse(w, s) })
	skipped := e.skipped(sources)
	if err := problems(e, analyses); err != nil {
		return err
	}
	analyses = slices.DeleteFunc(analyses, func(a *workspace.Analysis) bool { return a == nil })
	findings := report.All(analyses)
	if err := report.Write(e.stdout, format, findings, e.style()); err != nil {
		return err
	}
	if slices.ContainsFunc(findings, func(f *report.Finding) bool { return f.Severity == rule.Error }) {
		return exit(1)
	}
	return skipped
}

func (e *env) style() report.Style {
	return report.Style{Dir: e.dir, Colour: e.colour, Version: e.version}
}
