package jax

import (
	"cmp"
	"strings"
)

// version is a version as PEP 440 orders it, as far as JAX's releases need it: numbers, then pre-release, then local part,
// which does not count.
type version struct {
	numbers []int
	stage   int // -2 dev, -1 alpha, beta or candidate, 0 final
	serial  int // of the pre-release or the development release
}

// parseVersion reads what it can: "0.12.0.1", "0.13.0rc1", "0.13.0.dev20261101+abc". Unreadable text is version 0.
func parseVersion(text string) version {
	text = strings.TrimPrefix(strings.TrimSpace(text), "v")
	text, _, _ = strings.Cut(text, "+")
	var v version
	for text != "" {
		digits := 0
		for digits < len(text) && '0' <= text[digits] && text[digits] <= '9' {
			digits++
		}
		if digits == 0 {
			break
		}
		v.numbers = append(v.numbers, number(text[:digits]))
		text = strings.TrimPrefix(text[digits:], ".")
	}
	letters := strings.TrimLeft(text, ".-_")
	for _, s := range []struct {
		word  string
		stage int
	}{{"dev", -2}, {"a", -1}, {"b", -1}, {"rc", -1}} {
		if rest, ok := strings.CutPrefix(letters, s.word); ok {
			v.stage = s.stage
			end := 0
			for end < len(rest) && '0' <= rest[end] && rest[end] <= '9' {
				end++
			}
			v.serial = number(rest[:end])
			break
		}
	}
	return v
}

func number(digits string) int {
	n := 0
	for _, d := range digits {
		n = n*10 + int(d-'0')
		if n > 1<<40 {
			return 1 << 40
		}
	}
	return n
}

func (v version) at(i int) int {
	if i < len(v.numbers) {
		return v.numbers[i]
	}
	return 0
}

// CompareVersions orders two versions of JAX as PEP 440 does: negative when a is older than b. Missing numbers are 0, so
// "0.12" and "0.12.0" are equal; development releases and candidates come before the release; the local part ("+abc")
// does not count.
func CompareVersions(a, b string) int {
	x, y := parseVersion(a), parseVersion(b)
	for i := range max(len(x.numbers), len(y.numbers)) {
		if c := cmp.Compare(x.at(i), y.at(i)); c != 0 {
			return c
		}
	}
	if c := cmp.Compare(x.stage, y.stage); c != 0 {
		return c
	}
	return cmp.Compare(x.serial, y.serial)
}

// AtLeast is true when version is min or newer.
func AtLeast(version, min string) bool { return CompareVersions(version, min) >= 0 }

// sameSeries is true for versions that share their first two numbers, as 0.12.0 and 0.12.0.1 do.
func sameSeries(a, b string) bool {
	x, y := parseVersion(a), parseVersion(b)
	return x.at(0) == y.at(0) && x.at(1) == y.at(1)
}
