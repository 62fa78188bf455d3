package oracle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Said is what one or several releases of JAX answered about a block, compactly: when it failed, where and with what words.
type Said struct {
	JAX     []string `json:"jax"`
	Outcome string   `json:"outcome"`
	Stage   string   `json:"stage,omitempty"`
	Type    string   `json:"type,omitempty"`
	Message string   `json:"message,omitempty"`

	Warnings []string `json:"warnings,omitempty"`
}

// Measure is what the releases said about one block: one line of a topic's file.
type Measure struct {
	Page  string `json:"page"`
	Block string `json:"block"` // Hash of the text asked about
	Mode  string `json:"mode"`  // lower, compile or run
	Chip  string `json:"chip"`
	Said  []Said `json:"said"`
}

// Measures are what a page's blocks were answered, by Hash and mode.
type Measures map[string]*Measure

func (b *Block) measureKey() string { return b.Hash() + " " + b.modes()[0] }

// Answer is what the release said about the block.
func (m Measures) Answer(b *Block, release string) (Answer, bool) {
	found := m[b.measureKey()]
	if found == nil {
		return Answer{}, false
	}
	for _, s := range found.Said {
		if slices.Contains(s.JAX, release) {
			return Answer{Block: found.Block, Mode: found.Mode, JAX: release, Chip: found.Chip, Outcome: s.Outcome, Stage: s.Stage, Type: s.Type, Message: s.Message, Warnings: s.Warnings}, true
		}
	}
	return Answer{}, false
}

// ReleaseQuestions lists what must be asked of the page's block in each release; it is compiled where the page has it compiled.
func (b *Block) ReleaseQuestions() []Question {
	var out []Question
	for _, release := range Measured {
		out = append(out, Question{b, b.modes()[0], release, b.chips()[0]})
	}
	return out
}

// Keep adds an answer about the block.
func (m Measures) Keep(b *Block, a Answer) {
	key := b.measureKey()
	if _, known := m.Answer(b, a.JAX); known {
		return // the page shows the block twice
	}
	if a.Outcome == "hang" || a.Outcome == "timeout" {
		return // of the machine, as a compiler ends: to be asked again
	}
	if m[key] == nil {
		m[key] = &Measure{Page: b.Page.Path, Block: b.Hash(), Mode: b.modes()[0], Chip: a.Chip}
	}
	m[key].keep(Said{[]string{a.JAX}, a.Outcome, a.Stage, a.Type, short(a.Message), a.Warnings})
}

func (m *Measure) keep(s Said) {
	for i, other := range m.Said {
		if other.Outcome == s.Outcome && other.Stage == s.Stage && other.Type == s.Type && other.Message == s.Message && slices.Equal(other.Warnings, s.Warnings) {
			m.Said[i].JAX = append(m.Said[i].JAX, s.JAX...)
			return
		}
	}
	m.Said = append(m.Said, s)
}

// short is the beginning of a message, which is enough to tell one mistake from another.
func short(message string) string {
	const longest = 500
	if len(message) <= longest {
		return message
	}
	return strings.ToValidUTF8(message[:longest], "")
}

// MeasuresPath is the file of the page's topic, in the folder of what releases said.
func (p *Page) MeasuresPath() string { return path.Dir(p.Path) + ".jsonl" }

// ReadMeasures reads what the releases said about the page's blocks; nothing when they were never asked.
func ReadMeasures(releases fs.FS, p *Page) (Measures, error) {
	out := Measures{}
	text, err := fs.ReadFile(releases, p.MeasuresPath())
	if err != nil {
		return out, nil
	}
	for i, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		m := &Measure{}
		if err := json.Unmarshal(line, m); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", p.MeasuresPath(), i+1, err)
		}
		if m.Page == p.Path {
			out[m.Block+" "+m.Mode] = m
		}
	}
	return out, nil
}

// FormatMeasures is the file of a topic, of these pages in their order; answers about blocks that are no longer there are left out.
func FormatMeasures(pages []*Page, of map[*Page]Measures) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	for _, p := range pages {
		for _, b := range p.Blocks {
			if m := of[p][b.measureKey()]; m != nil {
				enc.Encode(m) // a struct of strings can't fail
			}
		}
	}
	return out.Bytes()
}

// JudgeReleases holds the range of releases that the page names against what they said: inside it, a bad block at least is refused as
// predicted; outside, none is. A page for all releases may show some of them only, as one about names that each release lacks.
func JudgeReleases(p *Page, measures Measures) []string {
	j := &judge{page: p, said: map[int]bool{}}
	if !measures.Complete(p) {
		j.problem(p.Path, "not put to every release; run testdata/oracle/releases")
	}
	if len(j.problems) > 0 || p.messages() || !p.JAX.Named() {
		return j.problems
	}
	for _, release := range Measured {
		switch shown := j.shownBy(measures, release); {
		case p.JAX.Has(release) && !shown:
			j.problem(p.Path, "the page says that it holds in JAX %s, and no bad block shows it there", release)
		case !p.JAX.Has(release) && shown:
			j.problem(p.Path, "JAX %s says it too, where the page says that it does not", release)
		}
	}
	return j.problems
}

// MeasuredRange is the range of releases in which a bad block of the page is answered as the page predicts; false when there is none, or
// the releases are not one after the other.
func MeasuredRange(p *Page, measures Measures) (string, bool) {
	j := &judge{page: p, said: map[int]bool{}}
	if !measures.Complete(p) {
		return "", false
	}
	first, last := -1, -1
	for i, release := range Measured {
		switch shown := j.shownBy(measures, release); {
		case shown && first < 0:
			first, last = i, i
		case shown && last < i-1:
			return "", false
		case shown:
			last = i
		}
	}
	newest := last == len(Measured)-1
	switch {
	case first < 0:
		return "", false
	case newest:
		return series(Measured[first]) + " and later", true
	case first == 0:
		return "until " + series(Measured[last]), true
	}
	return series(Measured[first]) + " to " + series(Measured[last]), true
}

// Complete: every block was put to every release.
func (m Measures) Complete(p *Page) bool {
	for _, b := range p.Blocks {
		for _, q := range b.ReleaseQuestions() {
			if _, ok := m.Answer(b, q.JAX); !ok {
				return false
			}
		}
	}
	return true
}

// series is the first two numbers of a release.
func series(release string) string {
	parts := strings.SplitN(release, ".", 3)
	return parts[0] + "." + parts[1]
}

// shownBy tells whether the release answers some bad block as the page predicts.
func (j *judge) shownBy(measures Measures, release string) bool {
	return slices.ContainsFunc(j.page.Blocks, func(b *Block) bool {
		a, _ := measures.Answer(b, release)
		return b.Kind == "bad" && j.predicted(a)
	})
}

// Predicted tells whether the answer is what the page says of bad code, or what it says elsewhere of the same mistake.
func (p *Page) Predicted(a Answer) bool {
	return (&judge{page: p, said: map[int]bool{}}).predicted(a)
}
