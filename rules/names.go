package rules

import (
	"fmt"

	"pallas-lsp/rules/edit"
)

// CheckName says which rule was perhaps meant when there is none of that name.
func CheckName(name string) error {
	if Find(name) != nil {
		return nil
	}
	var all []string
	for _, r := range All() {
		all = append(all, r.Name)
	}
	return fmt.Errorf("%s%s", noRule(name), DidYouMean(name, all))
}

func noRule(name string) string {
	if len(name) > maxWord {
		name = name[:maxWord] + "..."
	}
	return fmt.Sprintf("%q is no rule", name)
}

// maxWord is the length of a word above which none is near.
const maxWord = 100

// DidYouMean is "; did you mean `x`?" for the known word that is nearest to word, empty when none is near.
func DidYouMean(word string, known []string) string {
	if len(word) > maxWord {
		return ""
	}
	best, distance := "", 1+max(2, len(word)/3)
	for _, k := range known {
		if max(len(word)-len(k), len(k)-len(word)) >= distance {
			continue
		}
		if d := edit.Distance(word, k); d < distance {
			best, distance = k, d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean `" + best + "`?"
}
