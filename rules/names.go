package rules

import "fmt"

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
		if d := editDistance(word, k); d < distance {
			best, distance = k, d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean `" + best + "`?"
}

// editDistance is Levenshtein's, in bytes.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
