package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"pallas-lsp/rules/jax"
	"pallas-lsp/testdata/oracle"
)

const batch = 60 // pages asked about at once: what was answered before an interruption is kept

func releasesDir() string { return filepath.Join(*root, "testdata", "oracle", "measured") }

// releases puts the blocks of the pages to every measured release, and writes the topics' files anew.
func releases(names []string) (bool, error) {
	every, err := choose(nil)
	if err != nil {
		return false, err
	}
	chosen, err := choose(names)
	if err != nil {
		return false, err
	}
	wanted := map[string]bool{}
	for _, p := range chosen {
		wanted[p.Path] = true
	}
	known := map[*oracle.Page]oracle.Measures{}
	var ask []*oracle.Page
	for _, p := range every {
		if known[p], err = readMeasures(p); err != nil {
			return false, err
		}
		if wanted[p.Path] {
			ask = append(ask, p)
		}
	}
	n, ok := 0, true
	for from := 0; from < len(ask); from += batch {
		if *offline {
			break
		}
		some := ask[from:min(from+batch, len(ask))]
		k, err := measure(some, known)
		if err == nil && k > 0 {
			err = writeMeasures(every, known)
		}
		if err != nil {
			return false, err
		}
		n += k
	}
	if err := writeMeasures(every, known); err != nil {
		return false, err
	}
	for _, p := range ask {
		if *ranges {
			if err := writeRange(p, known[p]); err != nil {
				return false, err
			}
		}
		for _, line := range oracle.JudgeReleases(p, known[p]) {
			ok = false
			fmt.Println("FAIL", line)
		}
	}
	fmt.Printf("releases: %d pages, JAX was asked %d times\n", len(ask), n)
	return ok, nil
}

// readMeasures reads what is known of the page: what releases were asked before, and what record asked.
func readMeasures(p *oracle.Page) (oracle.Measures, error) {
	known, err := oracle.ReadMeasures(os.DirFS(releasesDir()), p)
	if err != nil {
		return nil, err
	}
	records, err := oracle.ReadRecords(os.DirFS(recordedDir()), p)
	for _, b := range p.Blocks {
		for _, q := range b.ReleaseQuestions() {
			if a, ok := records.Answer(q); ok {
				known.Keep(b, a)
			}
		}
	}
	return known, err
}

// measure asks what is not known of these pages.
func measure(pages []*oracle.Page, known map[*oracle.Page]oracle.Measures) (int, error) {
	ask := map[*oracle.Page][]oracle.Question{}
	for _, p := range pages {
		old := known[p]
		known[p] = oracle.Measures{}
		for _, b := range p.Blocks {
			for _, q := range b.ReleaseQuestions() {
				if a, ok := old.Answer(b, q.JAX); ok && a.Chip == q.Chip && !*all {
					known[p].Keep(b, a)
				} else {
					ask[p] = append(ask[p], q)
				}
			}
		}
	}
	asked, said, err := answers(pages, ask)
	for i, q := range asked {
		if err == nil {
			known[q.Block.Page].Keep(q.Block, said[i])
		}
	}
	return len(asked), err
}

var jaxLine = regexp.MustCompile(`(?m)^jax: .*$`)

// writeRange puts the measured range into the page, where it says another.
func writeRange(p *oracle.Page, measures oracle.Measures) error {
	found, ok := oracle.MeasuredRange(p, measures)
	if !ok || len(oracle.JudgeReleases(p, measures)) == 0 {
		return nil
	}
	file := filepath.Join(*root, "rules", filepath.FromSlash(p.Path))
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if p.JAX, err = jax.ParseRange(found); err != nil {
		return err
	}
	fmt.Printf("%s: jax: %s\n", p.Path, found)
	return os.WriteFile(file, jaxLine.ReplaceAll(text, []byte("jax: "+found)), 0o644)
}

func writeMeasures(pages []*oracle.Page, known map[*oracle.Page]oracle.Measures) error {
	topics := map[string][]*oracle.Page{}
	for _, p := range pages {
		topics[p.MeasuresPath()] = append(topics[p.MeasuresPath()], p)
	}
	for name, of := range topics {
		file := filepath.Join(releasesDir(), filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		text := oracle.FormatMeasures(of, known)
		if len(text) == 0 {
			continue
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
