package oracle

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode"
)

// A Question is one thing that JAX is asked about a block.
type Question struct {
	Block *Block
	Mode  string // lower, compile (which lowers first), interpret or run
	JAX   string
	Chip  string
}

// An Answer is what JAX said to a question: one line of a record.
type Answer struct {
	Block    string   `json:"block"` // Hash of the text asked about
	Kind     string   `json:"kind"`  // for the reader
	Mode     string   `json:"mode"`
	JAX      string   `json:"jax"`
	Chip     string   `json:"chip"`
	Outcome  string   `json:"outcome"`         // ok, error, abort, hang or timeout
	Stage    string   `json:"stage,omitempty"` // import, trace, lower, compile, interpret or run
	Type     string   `json:"type,omitempty"`  // of the exception
	Message  string   `json:"message,omitempty"`
	Line     int      `json:"line,omitempty"` // of the block, innermost; 0: JAX names none
	Lines    []int    `json:"lines,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
	Race     bool     `json:"race,omitempty"`
	NaN      []int    `json:"nan,omitempty"`    // how many, for each result
	Digest   string   `json:"digest,omitempty"` // of the results, to three digits
}

// Hash names a block by its text and the header that it gets.
func (b *Block) Hash() string {
	text := b.File()
	if b.Cores > 0 {
		text += fmt.Sprintf("# on %d cores\n", b.Cores)
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// Questions lists all that must be asked about the page, in the order of its blocks.
func (p *Page) Questions() []Question {
	var out []Question
	for _, b := range p.Blocks {
		for _, release := range b.releases() {
			for _, chip := range b.chips() {
				for _, mode := range b.modes() {
					if mode == "interpret" && b.JAX == nil && release != p.primary() {
						continue // that the code still means the same there is not in doubt
					}
					out = append(out, Question{b, mode, release, chip})
				}
			}
		}
	}
	return out
}

func (b *Block) modes() []string {
	modes := []string{"lower"}
	switch {
	case b.Run:
		modes = []string{"run"}
	case b.Compile:
		modes = []string{"compile"}
	}
	if b.Interpret {
		modes = append(modes, "interpret")
	}
	return modes
}

func (b *Block) chips() []string {
	if b.Chips != nil {
		return b.Chips
	}
	return []string{b.Page.Chip()}
}

// Chip is the one asked by default: the newest that the page's rule is about.
func (p *Page) Chip() string {
	if len(p.Chips) == 0 || contains(p.Chips, "7x") {
		return "7x"
	}
	return p.Chips[0]
}

// releases of JAX that the block is asked of.
func (b *Block) releases() []string {
	switch {
	case b.JAX != nil:
		return b.JAX
	case b.Kind == "bad" && b.Page.JAX.Named():
		return []string{Newest, Older}
	}
	return []string{Newest}
}

// Records are the recorded answers, by question.
type Records map[string]Answer

func (q Question) key() string {
	return strings.Join([]string{q.Block.Hash(), q.Mode, q.JAX, q.Chip}, " ")
}
func (a Answer) key() string { return strings.Join([]string{a.Block, a.Mode, a.JAX, a.Chip}, " ") }

// Answer is the recorded answer to the question.
func (r Records) Answer(q Question) (Answer, bool) {
	a, ok := r[q.key()]
	return a, ok
}

// line is the answer as it is recorded.
func (a Answer) line() []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false) // messages hold < and > that people read
	enc.Encode(a)            // a struct of strings and numbers can't fail
	return out.Bytes()
}

// Keep adds the answer, or replaces the one to the same question.
func (r Records) Keep(a Answer) { r[a.key()] = a }

// sortedWords are the words of a message in an order of their own: JAX prints some sets, whose order is another in each process.
func sortedWords(message string) string {
	words := strings.FieldsFunc(message, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("(){}[],", r) })
	slices.Sort(words)
	return strings.Join(words, " ")
}

// Differences lists where the fresh answers to the page's questions are not the recorded ones. Digests may differ from
// machine to machine; what they are for, Judge decides.
func Differences(p *Page, recorded, fresh Records) []string {
	var out []string
	for _, q := range p.Questions() {
		was, ok := recorded.Answer(q)
		is, _ := fresh.Answer(q)
		was.Digest, is.Digest = "", ""
		was.Kind, is.Kind = "", ""                    // the page's word for the block, no answer
		if q.Mode == "interpret" || q.Mode == "run" { // callbacks of the interpreter run on threads: which frames and warnings a failure comes with is a matter of timing
			was.Lines, is.Lines, was.Warnings, is.Warnings = nil, nil, nil, nil
			if was.Race && is.Race { // what a race leaves behind is one, too
				was.NaN, is.NaN = nil, nil
			}
		}
		was.Message, is.Message = sortedWords(was.Message), sortedWords(is.Message)
		if !ok {
			continue // Judge says so
		}
		if !bytes.Equal(was.line(), is.line()) {
			out = append(out, fmt.Sprintf("%v: JAX %s (%s, %s) now says: %s; recorded: %s", q.Block, q.JAX, q.Mode, q.Chip, is.Said(), was.Said()))
		}
	}
	return out
}

// RecordPath is where the page's answers are recorded, in the folder of records.
func (p *Page) RecordPath() string { return strings.TrimSuffix(p.Path, ".md") + ".jsonl" }

// ReadRecords reads the page's answers; a page that was never recorded has none.
func ReadRecords(recorded fs.FS, p *Page) (Records, error) {
	records := Records{}
	text, err := fs.ReadFile(recorded, p.RecordPath())
	if err != nil {
		return records, nil
	}
	for i, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		var a Answer
		if err := json.Unmarshal(line, &a); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", p.RecordPath(), i+1, err)
		}
		records[a.key()] = a
	}
	return records, nil
}

// Format writes the answers to the page's questions as a record, one a line in the order of the questions.
func (r Records) Format(p *Page) []byte {
	var out bytes.Buffer
	written := map[string]bool{}
	for _, q := range p.Questions() {
		if a, ok := r[q.key()]; ok && !written[q.key()] {
			written[q.key()] = true
			out.Write(a.line())
		}
	}
	return out.Bytes()
}
