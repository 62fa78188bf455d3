package parse

import "testing"

func TestApply(t *testing.T) {
	const src = "0123456789"
	tests := []struct {
		name  string
		edits []Edit
		want  string // empty: an error
	}{
		{"none", nil, src},
		{"insert", []Edit{{3, 3, "x"}}, "012x3456789"},
		{"at the ends", []Edit{{10, 10, "z"}, {0, 0, "a"}}, "a0123456789z"},
		{"replace", []Edit{{3, 5, "x"}}, "012x56789"},
		{"delete all", []Edit{{0, 10, "-"}}, "-"},
		{"unsorted", []Edit{{8, 9, "b"}, {1, 2, "a"}}, "0a234567b9"},
		{"touching", []Edit{{1, 3, "a"}, {3, 5, "b"}}, "0ab56789"},
		{"insertions keep their order", []Edit{{5, 5, "b"}, {5, 5, "a"}, {2, 2, "c"}}, "01c234ba56789"},
		{"insertion before a replacement", []Edit{{5, 7, "R"}, {5, 5, "i"}}, "01234iR789"},
		{"insertion after a replacement", []Edit{{5, 5, "i"}, {3, 5, "R"}}, "012Ri56789"},
		{"overlap", []Edit{{1, 4, "a"}, {3, 5, "b"}}, ""},
		{"same start", []Edit{{1, 4, "a"}, {1, 2, "b"}}, ""},
		{"insertion inside", []Edit{{1, 4, "a"}, {2, 2, "b"}}, ""},
		{"outside", []Edit{{9, 11, "a"}}, ""},
		{"negative", []Edit{{-1, 1, "a"}}, ""},
		{"backwards", []Edit{{4, 3, "a"}}, ""},
	}
	for _, test := range tests {
		got, err := Apply([]byte(src), test.edits)
		if test.want == "" {
			if err == nil {
				t.Errorf("%s: no error, but %q", test.name, got)
			}
			continue
		}
		if err != nil || string(got) != test.want {
			t.Errorf("%s: %q, %v; want %q", test.name, got, err, test.want)
		}
	}
}
