package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"pallas-lsp/parse"
	"pallas-lsp/rules/inspect"
	"pallas-lsp/rules/picture"
)

var pictureCommand = &command{
	name:  "picture",
	short: "Draw a kernel: memories, refs, copies, grid",
	usage: "picture [--format FORMAT] [--chip CHIP] FILE[:KERNEL]",
	long:  "Draws the memories of the core as boxes, refs in them with shape and size, copies as arrows, loads and stores, and the steps of the grid.\nWhat a finding says is wrong is red. Without a name it is the first kernel of the file.",
	run:   runPicture,
}

func runPicture(e *env, c *command, args []string) error {
	var fs flag.FlagSet
	var flags choices
	format := fs.String("format", "text", "`FORMAT` is "+strings.Join(picture.Formats, ", "))
	flags.target(&fs)
	paths, err := parseFlags(e, c, &fs, args)
	if err != nil {
		return err
	}
	if !slices.Contains(picture.Formats, *format) {
		return fmt.Errorf("--format: %q is none of %s", *format, strings.Join(picture.Formats, ", "))
	}
	if len(paths) != 1 {
		return fmt.Errorf("picture needs one file; see pallas-lsp picture --help")
	}
	over, err := flags.options()
	if err != nil {
		return err
	}
	path, kernel := e.kernelOf(paths[0])
	sources, err := e.sources([]string{path}, "stdin.py")
	if err != nil {
		return err
	}
	if err := noNotebook(c, sources); err != nil {
		return err
	}
	if len(sources) != 1 || !e.read(sources[0]) {
		if err := unread(sources); err != nil {
			return err
		}
		return fmt.Errorf("picture needs one file, and %s is a folder", path)
	}
	w := e.workspaceOf([]string{path}, over)
	a := w.Check(parse.Parse(e.abs(sources[0].path), sources[0].text))
	f := inspect.Of(a, e.style().Name)
	k := picture.Find(f, kernel, 0)
	if k == nil {
		return missingKernel(path, kernel, picture.Names(f))
	}
	_, err = fmt.Fprint(e.stdout, picture.Of(f, k, a.Wrong).In(*format))
	return err
}

// kernelOf splits FILE:KERNEL; a file whose own name holds a colon is a file.
func (e *env) kernelOf(arg string) (path, kernel string) {
	i := strings.LastIndexByte(arg, ':')
	if i < 0 {
		return arg, ""
	}
	if _, err := os.Stat(e.abs(arg)); err == nil {
		return arg, ""
	}
	return arg[:i], arg[i+1:]
}

func missingKernel(path, kernel string, names []string) error {
	if len(names) == 0 {
		return fmt.Errorf("%s has no kernels", path)
	}
	return fmt.Errorf("%s has no kernel %q; there are %s", path, kernel, strings.Join(names, ", "))
}
