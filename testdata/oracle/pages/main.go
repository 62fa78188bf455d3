// Command pages asks real JAX about the blocks of the rules' pages. Run it by the scripts record, verify and try.
//
//	pages record [PAGE...]   asks what was not asked yet, and records it; -all asks everything again
//	pages verify [PAGE...]   asks everything again; exit 1 when JAX says something else than the record
//	pages try PAGE...        asks, and prints the answers
//	pages releases [PAGE...] puts to every measured release what was not yet, and records it; -all puts everything again
//
// All end with what pages claim and JAX does not say, and exit 1 when there is any of it.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"pallas-lsp/testdata/oracle"
)

var (
	root = flag.String("root", ".", "the root of the project")
	all  = flag.Bool("all", false, "record, releases: ask again what was recorded")

	offline = flag.Bool("offline", false, "releases: ask nothing, judge what is recorded")

	ranges = flag.Bool("ranges", false, "releases: write the measured range of releases into the pages")
)

func main() {
	flag.Parse()
	ok, err := run(flag.Arg(0), flag.Args()[min(1, flag.NArg()):])
	if err != nil {
		fmt.Fprintln(os.Stderr, "pages:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

func run(command string, names []string) (bool, error) {
	if command == "releases" {
		return releases(names)
	}
	if !slices.Contains([]string{"record", "verify", "try"}, command) {
		return false, fmt.Errorf("record, verify, try or releases?")
	}
	pages, err := choose(names)
	if err != nil {
		return false, err
	}
	old := map[*oracle.Page]oracle.Records{}
	ask := map[*oracle.Page][]oracle.Question{}
	recorded := os.DirFS(recordedDir())
	for _, p := range pages {
		if old[p], err = oracle.ReadRecords(recorded, p); err != nil {
			return false, err
		}
		for _, q := range p.Questions() {
			if _, known := old[p].Answer(q); !known || *all || command != "record" {
				ask[p] = append(ask[p], q)
			}
		}
	}
	asked, said, err := answers(pages, ask)
	if err != nil {
		return false, err
	}
	fresh := map[*oracle.Page]oracle.Records{}
	for _, p := range pages {
		fresh[p] = oracle.Records{}
	}
	for i, q := range asked {
		fresh[q.Block.Page].Keep(said[i])
	}
	ok := true
	for _, p := range pages {
		records := fresh[p]
		switch command {
		case "record":
			for _, q := range p.Questions() {
				was, known := old[p].Answer(q)
				if _, again := records.Answer(q); known && !again {
					records.Keep(was)
				}
			}
			if err := write(p, records); err != nil {
				return false, err
			}
		case "verify":
			for _, line := range oracle.Differences(p, old[p], records) {
				ok = false
				fmt.Println("FAIL", line)
			}
		case "try":
			for _, q := range p.Questions() {
				a, _ := records.Answer(q)
				fmt.Printf("%v, JAX %s, %s, %s: %s\n", q.Block, q.JAX, q.Chip, q.Mode, a.Said())
			}
		}
		for _, line := range oracle.Judge(p, records) {
			ok = false
			fmt.Println("FAIL", line)
		}
	}
	n := 0
	for _, qs := range ask {
		n += len(qs)
	}
	fmt.Printf("%s: %d pages, JAX was asked %d times\n", command, len(pages), n)
	return ok, nil
}

func recordedDir() string { return filepath.Join(*root, "testdata", "oracle", "recorded") }

// choose reads the pages of these names (paths, or the end of a path), or all.
func choose(names []string) ([]*oracle.Page, error) {
	rules := filepath.Join(*root, "rules")
	if len(names) == 0 {
		return oracle.Pages(os.DirFS(rules))
	}
	var chosen []*oracle.Page
	for _, name := range names {
		full, err := filepath.Abs(name)
		if err != nil {
			return nil, err
		}
		text, err := os.ReadFile(full)
		if err != nil {
			return nil, err
		}
		base, err := filepath.Abs(rules)
		if err != nil {
			return nil, err
		}
		inside, err := filepath.Rel(base, full)
		if err != nil || strings.HasPrefix(inside, "..") {
			inside = filepath.Base(name)
		}
		page, err := oracle.ParsePage(filepath.ToSlash(inside), string(text))
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, page)
	}
	return chosen, nil
}

// answers asks JAX, all pages in one go; it returns the questions in order, and the answer to each.
func answers(pages []*oracle.Page, ask map[*oracle.Page][]oracle.Question) (asked []oracle.Question, said []oracle.Answer, err error) {
	var in bytes.Buffer
	for _, p := range pages {
		for _, q := range ask[p] {
			asked = append(asked, q)
			line, err := json.Marshal(map[string]any{"id": len(asked), "code": q.Block.Code, "jax": q.JAX, "chip": q.Chip,
				"compile": q.Mode == "compile", "interpret": q.Mode == "interpret", "run": q.Mode == "run", "cores": q.Block.Cores})
			if err != nil {
				return nil, nil, err
			}
			in.Write(append(line, '\n'))
		}
	}
	cmd := exec.Command("python3", filepath.Join(*root, "testdata", "oracle", "ask.py"))
	cmd.Stdin, cmd.Stderr = &in, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, nil, fmt.Errorf("ask.py: %w", err)
	}
	dec := json.NewDecoder(bytes.NewReader(out))
	for _, q := range asked {
		var a oracle.Answer
		if err := dec.Decode(&a); err == io.EOF {
			return nil, nil, fmt.Errorf("ask.py: too few answers")
		} else if err != nil {
			return nil, nil, fmt.Errorf("ask.py: %w", err)
		}
		a.Block, a.Kind, a.Mode = q.Block.Hash(), q.Block.Kind, q.Mode
		said = append(said, a)
	}
	return asked, said, nil
}

func write(p *oracle.Page, records oracle.Records) error {
	name := filepath.Join(recordedDir(), filepath.FromSlash(p.RecordPath()))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, records.Format(p), 0o644)
}
