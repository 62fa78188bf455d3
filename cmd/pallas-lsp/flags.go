package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"pallas-lsp/rules"
	"pallas-lsp/rules/config"
	"pallas-lsp/rules/workspace"
)

// errHelp says that help was asked for and printed.
var errHelp = flag.ErrHelp

// parseFlags reads flags and arguments in any order.
func parseFlags(e *env, c *command, fs *flag.FlagSet, args []string) ([]string, error) {
	fs.Init(c.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	var rest []string
	for {
		if err := fs.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				printHelp(e, c, fs)
				return nil, err
			}
			return nil, fmt.Errorf("%w; see pallas-lsp %s --help", err, c.name)
		}
		left := fs.Args()
		if n := len(args) - len(left); n > 0 && args[n-1] == "--" {
			return append(rest, left...), nil
		}
		if len(left) == 0 {
			return rest, nil
		}
		rest = append(rest, left[0])
		args = left[1:]
	}
}

func printHelp(e *env, c *command, fs *flag.FlagSet) {
	fmt.Fprintf(e.stdout, "%s\n\nUsage: pallas-lsp %s\n", c.short, c.usage)
	if c.long != "" {
		fmt.Fprintf(e.stdout, "\n%s\n", c.long)
	}
	first := true
	fs.VisitAll(func(f *flag.Flag) {
		if first {
			fmt.Fprintln(e.stdout, "\nOptions:")
			first = false
		}
		value, usage := flag.UnquoteUsage(f)
		fmt.Fprintf(e.stdout, "  %-26s %s\n", strings.TrimRight("--"+f.Name+" "+value, " "), usage)
	})
}

// names collects a flag that may be repeated and holds rule names, with commas between.
type names []string

func (n *names) String() string { return strings.Join(*n, ",") }

func (n *names) Set(s string) error {
	for _, name := range strings.Split(s, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		if err := rules.CheckName(name); err != nil {
			return err
		}
		*n = append(*n, name)
	}
	return nil
}

// choices are the flags that stand above a configuration file.
type choices struct {
	chip, version    string
	selected, ignore names
}

func (c *choices) register(fs *flag.FlagSet) {
	c.target(fs)
	fs.Var(&c.selected, "select", "report only the rules `NAME,...`")
	fs.Var(&c.ignore, "ignore", "leave out the rules `NAME,...`")
}

// target registers the flags that say what kernels are written for.
func (c *choices) target(fs *flag.FlagSet) {
	fs.StringVar(&c.chip, "chip", "", "the TPU that the kernels run on: `CHIP` is v4, v5e, v5p, v6e, 7x, ... (default: what holds on every chip)")
	fs.StringVar(&c.version, "jax-version", "", "the release of JAX, as `X.Y.Z` (default: the environment's, else the newest known)")
}

func (c *choices) options() (*config.Options, error) {
	o := &config.Options{JAXVersion: c.version, Select: c.selected, Ignore: c.ignore}
	if c.version != "" && !config.ValidVersion(c.version) {
		return nil, fmt.Errorf("--jax-version: %q is no version of JAX; write it as 0.9.2", c.version)
	}
	if c.chip != "" {
		chip, err := config.ParseChip(c.chip)
		if err != nil {
			return nil, fmt.Errorf("--chip: %w", err)
		}
		o.Chip = chip
	}
	return o, nil
}

// abs is the absolute form of a path that the user gave.
func (e *env) abs(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(e.dir, path)
}

// workspaceOf makes the workspace of the paths of a command.
func (e *env) workspaceOf(paths []string, over *config.Options) *workspace.Workspace {
	var roots []string
	seen := map[string]bool{}
	for _, p := range paths {
		if p == "-" {
			p = "."
		}
		if r := workspace.RootOf(e.abs(p), e.dir); !seen[r] {
			seen[r] = true
			roots = append(roots, r)
		}
	}
	w := workspace.New(roots, over)
	w.OnPanic = e.onPanic()
	return w
}

// needPaths refuses a command without paths.
func needPaths(c *command, paths []string) error {
	if len(paths) == 0 {
		return fmt.Errorf("%s needs a file or folder; see pallas-lsp %s --help", c.name, c.name)
	}
	return nil
}

func pathReason(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
