package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"pallas-lsp/rules"
	"pallas-lsp/rules/explain"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/workspace"
)

var explainCommand = &command{
	name:  "explain",
	short: "Explain a rule, or an error that JAX printed",
	usage: "explain NAME   or   explain [--json] < TRACEBACK",
	long: "With a name it prints the page of that rule. Without, it reads an error or a whole traceback from standard input\n" +
		"and finds the page that explains it; where the author's file is there, it is checked too. The exit code is 1 when there is no page.",
	run: runExplain,
}

// maxPaste bounds what is read of a pasted text, in bytes.
const maxPaste = 4 << 20

func runExplain(e *env, c *command, args []string) error {
	var fs flag.FlagSet
	asJSON := fs.Bool("json", false, "print what is known of a pasted error as one JSON object")
	var flags choices
	flags.target(&fs)
	rest, err := parseFlags(e, c, &fs, args)
	if err != nil {
		return err
	}
	if len(rest) > 0 && rest[0] != "-" {
		return e.explainName(rest)
	}
	if f, ok := e.stdin.(*os.File); ok && isTerminal(f) {
		fmt.Fprintln(e.stderr, "Paste the error, then press Ctrl-D:")
	}
	text, err := io.ReadAll(io.LimitReader(e.stdin, maxPaste))
	if err != nil {
		return fmt.Errorf("standard input: %w", err)
	}
	if strings.TrimSpace(string(text)) == "" {
		return errors.New("explain needs the name of a rule, or an error on standard input")
	}
	over, err := flags.options()
	if err != nil {
		return err
	}
	w := workspace.New([]string{workspace.RootOf(e.dir, e.dir), e.dir}, over)
	w.OnPanic, w.Anywhere = e.onPanic(), true
	return e.writeAnswer(explain.Read(string(text), jax.For(over.JAXVersion), w), *asJSON)
}

func (e *env) explainName(names []string) error {
	for i, n := range names {
		if err := rules.CheckName(n); err != nil {
			if like := explain.Names(n); len(like) > 0 {
				return fmt.Errorf("%w; rules about it: %s", err, strings.Join(like, ", "))
			}
			return err
		}
		if i > 0 {
			fmt.Fprintln(e.stdout)
		}
		if _, err := io.WriteString(e.stdout, explain.Page(rules.Find(n))); err != nil {
			return err
		}
	}
	return nil
}

type jsonAnswer struct {
	Name   *string      `json:"name"`
	Line   *int         `json:"line"`
	Path   *string      `json:"path"`
	Found  *jsonFinding `json:"found,omitempty"`
	Others []string     `json:"others,omitempty"` // with the same message
}

// jsonFinding is what is wrong in the author's file.
type jsonFinding struct {
	Name    string `json:"name"`
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Message string `json:"message"`
}

// writeAnswer prints the answer; without a page the exit code is 1.
func (e *env) writeAnswer(a explain.Answer, asJSON bool) error {
	err := e.printAnswer(a, asJSON)
	if err == nil && a.Rule == nil {
		return exit(1)
	}
	return err
}

func (e *env) printAnswer(a explain.Answer, asJSON bool) error {
	if !asJSON {
		_, err := io.WriteString(e.stdout, a.Text())
		return err
	}
	var j jsonAnswer
	if a.Rule != nil {
		j.Name = &a.Rule.Name
	}
	if a.Frame != nil {
		j.Line, j.Path = &a.Frame.Line, &a.Frame.Path
	}
	if f := a.Found; f != nil {
		j.Found = &jsonFinding{f.Rule.Name, f.Path, f.Line, f.Message}
	}
	for _, r := range a.Others {
		j.Others = append(j.Others, r.Name)
	}
	return writeJSON(e, j)
}
