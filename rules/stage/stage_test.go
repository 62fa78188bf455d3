package stage_test

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pallas-lsp/parse"
	"pallas-lsp/rules"
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/jax"
	"pallas-lsp/rules/rule"
)

var update = flag.Bool("update", false, "write the expected texts anew; ask JAX about them with testdata/record")

// The files of testdata are kernels with what each kind of fix makes of them: `in`, `first` (the fix that is offered first, again and again
// until none is left, as `fix --unsafe-fixes` does) and `local` (only those with a local buffer). A kind that offers nothing has no section.
type sample struct {
	name     string
	sections map[string]string
}

func samples(t *testing.T) []sample {
	paths, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatal(err, "no samples")
	}
	var out []sample
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		s := sample{name: strings.TrimSuffix(filepath.Base(path), ".txt"), sections: map[string]string{}}
		section := ""
		for _, line := range strings.SplitAfter(string(text), "\n") {
			if rest, ok := strings.CutPrefix(line, "-- "); ok {
				section = strings.TrimSuffix(strings.TrimSpace(rest), " --")
				continue
			}
			s.sections[section] += line
		}
		out = append(out, s)
	}
	return out
}

func (s sample) write(t *testing.T) {
	text := ""
	for _, name := range []string{"in", "first", "local"} {
		if s.sections[name] != "" {
			text += "-- " + name + " --\n" + s.sections[name]
		}
	}
	if err := os.WriteFile("testdata/"+s.name+".txt", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestFixes applies both kinds of fixes to the samples.
func TestFixes(t *testing.T) {
	for _, s := range samples(t) {
		t.Run(s.name, func(t *testing.T) {
			in := s.sections["in"]
			for _, kind := range []string{"first", "local"} {
				got, titles, _ := stageAll(t, in, kind, nil)
				if got == in {
					got = ""
				}
				if kind == "local" && got == s.sections["first"] {
					got = ""
				}
				if *update {
					s.sections[kind] = got
				}
				if got != s.sections[kind] {
					t.Errorf("%s: %s\ngives\n%s\nnot\n%s", kind, strings.Join(titles, "\n"), got, s.sections[kind])
				}
			}
			if *update {
				s.write(t)
			}
		})
	}
}

// TestClean: what has been staged has no finding left, unless an access was left because no fix was right.
func TestClean(t *testing.T) {
	for _, s := range samples(t) {
		for _, kind := range []string{"first", "local"} {
			text := s.sections[kind]
			if text == "" {
				continue
			}
			f := parse.Parse("case.py", []byte(text))
			if left := find(f, nil); len(left) > 0 {
				continue
			}
			for _, d := range rules.Check(infer.Analyze(f, infer.Options{}), &rules.Config{OnPanic: func(r *rule.Rule, v any) { t.Errorf("%s panics: %v", r.Name, v) }}) {
				if d.Severity <= rule.Warning {
					t.Errorf("%s %s: %s: %s", s.name, kind, d.Rule.Name, d.Message)
				}
			}
		}
	}
}

// answer is what JAX said of one section, recorded by testdata/record.
type answer struct {
	Name, Section, Sum string
	JAX                string
	Compiled           bool
	Outcome, Message   string
}

// TestAnswers holds the samples against real JAX: it refuses what comes in; it compiles what has been staged, and lowers it in the oldest release
// that the samples are for; where an access is left it refuses that too.
func TestAnswers(t *testing.T) {
	said := answers(t)
	for _, s := range samples(t) {
		for section, text := range s.sections {
			sum := sha256.Sum256([]byte(text))
			for _, release := range []string{"0.12.0.1", "0.10.2"} {
				a, ok := said[s.name+"/"+section+"/"+release]
				if !ok || a.Sum != hex.EncodeToString(sum[:8]) {
					t.Errorf("%s %s: JAX %s was not asked about this text; run rules/stage/testdata/record", s.name, section, release)
					continue
				}
				if strings.Contains(a.Message, "has no attribute") {
					continue // the release lacks what the sample is about
				}
				left := find(parse.Parse("case.py", []byte(text)), jax.For(release))
				if refused := a.Outcome != "ok"; refused != (len(left) > 0) {
					t.Errorf("%s %s: %d accesses out of reach, but JAX %s says %s %s", s.name, section, len(left), release, a.Outcome, a.Message)
				}
			}
		}
	}
}

func answers(t *testing.T) map[string]answer {
	file, err := os.Open("testdata/answers.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	out := map[string]answer{}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var a answer
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		out[a.Name+"/"+a.Section+"/"+a.JAX] = a
	}
	return out
}
