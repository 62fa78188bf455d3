package rules

import "bytes"

// words that a file with a Pallas kernel holds: the package, or the usual names of its modules where a file has them from
// another file of the workspace. `pallas_call` is found by the first.
var words = [][]byte{[]byte("pallas"), []byte("pltpu"), []byte("plgpu"), []byte("plsc")}

// MentionsPallas tells apart, without parsing, the files that can have to do with Pallas. A file that gets Pallas from
// another file, under a name of its own making, is not found.
func MentionsPallas(text []byte) bool {
	for _, w := range words {
		if bytes.Contains(text, w) {
			return true
		}
	}
	return false
}
