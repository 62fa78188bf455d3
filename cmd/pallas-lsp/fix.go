package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"pallas-lsp/parse"
	"pallas-lsp/rules/fix"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/workspace"
)

var fixCommand = &command{
	name:  "fix",
	short: "Apply the quick fixes that are safe",
	usage: "fix [OPTIONS] PATH...",
	long: "Applies fixes until nothing changes, and writes the files in place. A safe fix keeps what the program means.\n" +
		"With --diff nothing is written, and the exit code is 1 when something would change.",
	run: runFix,
}

type fixed struct {
	name     string
	diff     string
	applied  int
	left     error // why the file is left alone
	err      error // of writing it
	settings *workspace.Analysis
}

func runFix(e *env, c *command, args []string) error {
	var fs flag.FlagSet
	var flags choices
	diff := fs.Bool("diff", false, "print what would change and write nothing")
	unsafe := fs.Bool("unsafe-fixes", false, "also apply the first offered fix of each finding, which may change what the program does")
	flags.register(&fs)
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
	for _, p := range paths {
		if p == "-" {
			return errors.New("fix works on files, not on standard input")
		}
	}
	sources, err := e.sources(paths, "")
	if err != nil {
		return err
	}
	w := e.workspaceOf(paths, over)
	results := each(e, sources, func(s *source) fixed { return e.fixOne(w, s, *unsafe, *diff) })
	skipped := e.skipped(sources)
	results = slices.DeleteFunc(results, func(f fixed) bool { return f.name == "" })
	if err := e.reportFixes(results, *diff); err != nil {
		return err
	}
	return skipped
}

func (e *env) fixOne(w *workspace.Workspace, s *source, unsafe, diff bool) fixed {
	out := fixed{name: e.style().Name(e.abs(s.path))}
	if !infer.MentionsPallas(s.text) {
		return out
	}
	r, text, err := e.mend(w, s, unsafe)
	out.settings, out.left = r.Left, err
	if err != nil || r.Applied == 0 {
		return out
	}
	out.applied = r.Applied
	if diff {
		out.diff = fix.Diff(out.name, out.name, string(s.text), string(text))
	} else if len(r.Left.Settings.Problems) == 0 {
		out.err = replace(e.abs(s.path), text)
	}
	return out
}

// mend applies the fixes and returns the text that the file should have.
func (e *env) mend(w *workspace.Workspace, s *source, unsafe bool) (fix.Result, []byte, error) {
	path := e.abs(s.path)
	if !workspace.IsNotebook(path) {
		r, err := fix.All(w, parse.Parse(path, s.text), unsafe)
		return r, r.File.Src, err
	}
	n, err := workspace.ReadNotebook(s.text)
	if err != nil {
		return fix.Result{}, nil, err
	}
	r, err := fix.All(w, n.Parse(path), unsafe)
	if err != nil {
		return r, nil, err
	}
	text, err := n.Apply(fix.Lines(string(n.Text), string(r.File.Src)))
	return r, text, err
}

func (e *env) reportFixes(results []fixed, diff bool) error {
	var settings []*workspace.Analysis
	applied, files := 0, 0
	var failed error
	for _, r := range results {
		settings = append(settings, r.settings)
		if r.err != nil && failed == nil {
			failed = fmt.Errorf("%s: %w", r.name, pathReason(r.err))
		}
		if r.err == nil && r.left == nil && r.applied > 0 {
			applied, files = applied+r.applied, files+1
		}
	}
	if err := problems(e, settings); err != nil {
		return err
	}
	for _, r := range results {
		fmt.Fprint(e.stdout, r.diff)
		if r.left != nil {
			fmt.Fprintf(e.stderr, "pallas-lsp: %s: %v; left alone\n", r.name, r.left)
		}
	}
	if !diff {
		fmt.Fprintf(e.stdout, "Applied %s in %s.\n", plural(applied, "fix", "fixes"), plural(files, "file", "files"))
	}
	left := slices.ContainsFunc(results, func(r fixed) bool { return r.left != nil })
	if failed == nil && (diff && applied > 0 || left) {
		return exit(1)
	}
	return failed
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// replace writes a file as a whole or not at all, with the mode that it had. A link stays a link.
func replace(path string, text []byte) error {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.Mode().Perm()&0o222 == 0 {
		return errors.New("the file is read-only")
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".pallas-lsp-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) // after the rename there is nothing to remove
	if _, err := tmp.Write(text); err != nil {
		tmp.Close()
		return err
	}
	if err := errors.Join(tmp.Chmod(info.Mode().Perm()), tmp.Sync(), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
