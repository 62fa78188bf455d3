package architecture

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pallas-lsp/rules"
	"pallas-lsp/rules/config"
)

// pages are the documents for people. What is generated or speaks of the tests alone is left to its own tests.
func pages(t *testing.T) []string {
	t.Helper()
	out := []string{"README.md", "CONTRIBUTING.md"}
	for _, pattern := range []string{"docs/*.md", "editors/*.md", "editors/*/README.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, found...)
	}
	return slices.DeleteFunc(out, func(path string) bool { return path == "docs/rules.md" })
}

// elsewhere are commands that a test of Go can't run, with the script that runs them, or what does the same.
var elsewhere = map[string]string{
	"go test ./...":           ".ci/run",
	"pip install pallas-lsp":  "editors/release/try",
	"editors/e2e/run":         ".ci/run",
	"testdata/oracle/ask.py":  ".ci/run",
	"testdata/oracle/record":  "testdata/oracle/verify",
	"uv tool install":         "editors/release/try",
	"uvx pallas-lsp check .":  "editors/release/try",
	"go install ./cmd/pallas": "editors/release/build",
}

// block is a piece of a page that is set as code.
type block struct {
	page, kind, text string
	line             int // of its first line, from 1
}

var fence = regexp.MustCompile("^\\s*```\\s*(\\S*)")

// blocks are the fenced blocks of a page, and those that are only indented, whose kind is "indented".
func blocks(t *testing.T, page string) []block {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var out []block
	var open *block
	indented := false
	for i, line := range strings.SplitAfter(string(text), "\n") {
		m := fence.FindStringSubmatch(line)
		switch {
		case m != nil && open != nil:
			out = append(out, *open)
			open = nil
		case m != nil:
			open = &block{page, m[1], "", i + 2}
			indented = false
		case open != nil:
			open.text += line
		case strings.HasPrefix(line, "    "):
			if !indented {
				out = append(out, block{page, "indented", "", i + 1})
			}
			out[len(out)-1].text += line[4:]
			indented = true
		default:
			indented = false
		}
	}
	return out
}

// commands are the command lines of a block; text that is no command has none.
func (b block) commands() []string {
	var out []string
	for _, line := range strings.Split(b.text, "\n") {
		switch b.kind {
		case "sh", "bash":
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				out = append(out, line)
			}
		case "console":
			if rest, ok := strings.CutPrefix(line, "$ "); ok {
				out = append(out, rest)
			}
		case "indented":
			if isCommand(line) {
				out = append(out, line)
			}
		}
	}
	return out
}

// programs are those that a page may tell people to run.
var programs = []string{"pallas-lsp", "go", "pip", "python3", "uv", "uvx", "git", "code", "npm", "cargo", "brew", "docker", "npx", "pipx"}

func isCommand(line string) bool {
	word, _, _ := strings.Cut(line, " ")
	return slices.Contains(programs, word) || strings.Contains(word, "/") && word[0] != '/' && executable(word)
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// TestCommandsInDocs runs every command that is set as a block, where a reader would: what builds, in a clone; our own program, in a project
// with a broken kernel. A block with a prompt shows what is printed, which must be so.
func TestCommandsInDocs(t *testing.T) {
	bin := t.TempDir()
	run(t, ".", nil, "go build -o "+bin+"/pallas-lsp ./cmd/pallas-lsp")
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Run("blocks", commandsInBlocks)
	t.Run("mentioned", commandsMentioned)
}

func commandsInBlocks(t *testing.T) {
	ran := 0
	for _, page := range pages(t) {
		for _, b := range blocks(t, page) {
			for _, c := range b.commands() {
				b.try(t, c)
				ran++
			}
		}
	}
	if ran < 5 {
		t.Errorf("only %d commands found", ran)
	}
}

func (b block) try(t *testing.T, command string) {
	t.Helper()
	if script, ok := triedElsewhere(command); ok {
		if _, err := os.Stat(script); err != nil {
			t.Errorf("%s:%d: nothing tries `%s`: %v", b.page, b.line, command, err)
		}
		return
	}
	dir := "."
	if strings.HasPrefix(command, "pallas-lsp") || strings.HasPrefix(command, "cat ") {
		dir = project(t)
	}
	got := run(t, dir, []int{0, 1}, command)
	if b.kind == "console" && !strings.Contains(trimmed(b.text), trimmed("$ "+command+"\n"+got)) {
		t.Errorf("%s:%d: `%s` prints\n%s", b.page, b.line, command, got)
	}
}

// trimmed is a text without blanks at the ends of lines and without empty lines at its end.
func trimmed(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

func triedElsewhere(command string) (string, bool) {
	for part, script := range elsewhere {
		if strings.Contains(command, part) {
			return script, true
		}
	}
	return "", false
}

// project is a folder with what the pages speak of.
func project(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	kernel, err := os.ReadFile("testdata/readme/embed.py")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"kernel.py", "embed.py", "kernels/embed.py"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, kernel, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func run(t *testing.T, dir string, codes []int, command string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, "sh", "-c", command)
	c.Dir = dir
	var out, log bytes.Buffer
	c.Stdout, c.Stderr = &out, &log
	if err := c.Run(); err != nil && !slices.Contains(codes, c.ProcessState.ExitCode()) {
		t.Errorf("`%s`: %v\n%s", command, err, log.String())
	}
	return out.String()
}

var span = regexp.MustCompile("`(pallas-lsp [^`]+)`")

// commandsMentioned: subcommands and flags that stand in running text exist.
func commandsMentioned(t *testing.T) {
	help := map[string]string{}
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range span.FindAllStringSubmatch(string(text), -1) {
			words := strings.Fields(m[1])
			sub := words[1]
			if help[sub] == "" {
				help[sub] = run(t, ".", nil, "pallas-lsp "+sub+" --help")
			}
			for _, w := range words[2:] {
				flag, _, _ := strings.Cut(strings.TrimRight(w, ",;."), "=")
				if strings.HasPrefix(flag, "--") && !strings.Contains(help[sub], flag+" ") && !strings.Contains(help[sub], flag+"\n") {
					t.Errorf("%s: `%s`: there is no %s", page, m[1], flag)
				}
			}
		}
	}
}

// TestSettingsInDocs: tables of settings that are shown are right, but for the rule that stands for any.
func TestSettingsInDocs(t *testing.T) {
	for _, page := range pages(t) {
		for _, b := range blocks(t, page) {
			if b.kind != "toml" || !strings.Contains(b.text, "[tool.pallas-lsp]") {
				continue
			}
			any := rules.All()[0].Name
			_, problems := config.Parse(strings.ReplaceAll(b.text, "some-rule", any))
			for _, p := range problems {
				t.Errorf("%s:%d: %s", page, b.line+p.Line-1, p.Message)
			}
		}
	}
}

var link = regexp.MustCompile(`\]\(([^)#\s]+)[^)]*\)`)

// TestLinksInDocs: what a page links to in the project is there.
func TestLinksInDocs(t *testing.T) {
	for _, page := range append(pages(t), "ARCHITECTURE.md", "CHANGELOG.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
}
