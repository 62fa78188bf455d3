package edit

import "strings"

// Nearest is the name among those given that a word is a misspelling of, with one letter wrong, of a word of six or more two, or the one that it is the beginning of;
// empty where there is none.
func Nearest(word string, among []string) string {
	best, least := "", 2
	if len(word) >= 6 {
		least = 3
	}
	for _, name := range among {
		if d := Distance(word, name); d < least {
			best, least = name, d
		}
	}
	if best == "" && len(word) > 3 {
		best = longer(word, among)
	}
	return best
}

// longer is the one name that the word is the beginning of.
func longer(word string, among []string) string {
	found := ""
	for _, name := range among {
		if !strings.HasPrefix(name, word+"_") {
			continue
		}
		if found != "" {
			return ""
		}
		found = name
	}
	return found
}

// Distance is Levenshtein's: how many bytes must be added, dropped or replaced to make one word the other.
func Distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := last
			if a[i] != b[j] {
				cost++
			}
			last = row[j+1]
			row[j+1] = min(cost, row[j]+1, last+1)
		}
	}
	return row[len(b)]
}
