package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"strings"

	"pallas-lsp/rules"
	"pallas-lsp/rules/rule"
)

var rulesCommand = &command{
	name:  "rules",
	short: "List what is checked",
	usage: "rules [--json]",
	run:   runRules,
}

type jsonRule struct {
	Name     string   `json:"name"`
	Old      []string `json:"old_names"`
	Summary  string   `json:"summary"`
	Severity string   `json:"severity"`
	Fix      string   `json:"fix"`
	JAX      string   `json:"jax"`
	Chips    string   `json:"chips"`
	Raises   []string `json:"raises"` // empty: JAX says nothing
	Silent   string   `json:"silent"` // what goes wrong then
	Source   string   `json:"source"`
	On       bool     `json:"on"`
	URL      string   `json:"url"`
}

func runRules(e *env, c *command, args []string) error {
	var fs flag.FlagSet
	asJSON := fs.Bool("json", false, "one JSON list")
	rest, err := parseFlags(e, c, &fs, args)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return fmt.Errorf("rules takes no arguments; see pallas-lsp explain %s", rest[0])
	}
	if *asJSON {
		return writeJSON(e, ruleList())
	}
	width := 0
	for _, r := range rules.All() {
		width = max(width, len(r.Name))
	}
	var b strings.Builder
	for _, r := range rules.All() {
		m := rules.Meta(r)
		fmt.Fprintf(&b, "%-*s  %-11s  %s\n", width, r.Name, m.Severity, m.Summary)
	}
	_, err = e.stdout.Write([]byte(b.String()))
	return err
}

func ruleList() []jsonRule {
	out := []jsonRule{}
	for _, r := range rules.All() {
		out = append(out, toJSONRule(r))
	}
	return out
}

func toJSONRule(r *rule.Rule) jsonRule {
	m := rules.Meta(r)
	j := jsonRule{Name: r.Name, Old: append([]string{}, r.Old...), Raises: []string{}, Silent: m.Silent, Summary: m.Summary, Severity: m.Severity.String(), Fix: m.Fix, JAX: m.JAX,
		Chips: m.Chips, Source: m.Source, On: !r.Off, URL: rules.URL(r)}
	for _, c := range m.Messages() {
		j.Raises = append(j.Raises, c.String())
	}
	return j
}

func writeJSON(e *env, v any) error {
	enc := json.NewEncoder(e.stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
