package jax

import (
	"cmp"
	"embed"
	"io/fs"
	"slices"
	"strings"
	"sync"
)

//go:embed data
var data embed.FS

// Release is what is known of one release of JAX. Its data is read when it is first asked for; a Release is safe for use by
// several goroutines.
type Release struct {
	// Version is the release, as pip prints it: "0.12.0.1".
	Version string
	// Asked is the version that [For] was asked for when no data set is exactly of that version; else empty. Then a name or
	// parameter that the release lacks need not be missing in the version asked for; [Release.Missing] knows that.
	Asked string

	names      func() *names
	primitives func() map[Core]map[string]bool
	chips      func() map[string]*Chip
	messages   func() []Message
	calls      func() calls
}

var releases = sync.OnceValue(func() []*Release {
	entries, err := fs.ReadDir(data, "data")
	if err != nil {
		panic(err) // the embedded files have no such folder: a broken build
	}
	list := make([]*Release, 0, len(entries))
	for _, e := range entries {
		if e.IsDir() {
			list = append(list, newRelease(e.Name()))
		}
	}
	slices.SortFunc(list, func(a, b *Release) int { return CompareVersions(a.Version, b.Version) })
	return list
})

func newRelease(version string) *Release {
	r := &Release{Version: version}
	r.names = sync.OnceValue(func() *names { return readNames(file(version, "names.txt")) })
	r.primitives = sync.OnceValue(func() map[Core]map[string]bool { return readPrimitives(file(version, "primitives.txt")) })
	r.chips = sync.OnceValue(func() map[string]*Chip { return readChips(file(version, "chips.json")) })
	r.messages = sync.OnceValue(func() []Message { return readMessages(file(version, "messages.txt")) })
	r.calls = sync.OnceValue(func() calls { return readCalls(file(version, "calls.txt")) })
	return r
}

func file(version, name string) string {
	content, err := data.ReadFile("data/" + version + "/" + name)
	if err != nil {
		panic(err) // the build embeds all five files of each release; TestData checks it
	}
	return string(content)
}

// Versions is every release known, oldest first.
func Versions() []string {
	var list []string
	for _, r := range releases() {
		list = append(list, r.Version)
	}
	return list
}

// Newest is the newest release known.
func Newest() *Release {
	all := releases()
	return all[len(all)-1]
}

// For is the release known that says most about a version of JAX: the nearest one of the same series (0.12.x) where there is
// one, the older of two; else the nearest older one; else the oldest. An empty version means the newest.
func For(version string) *Release {
	all := releases()
	if strings.TrimSpace(version) == "" {
		return Newest()
	}
	var best, series *Release
	for _, r := range all {
		order := CompareVersions(r.Version, version)
		if order == 0 {
			return r
		}
		if order < 0 {
			best = r
		}
		if sameSeries(r.Version, version) && (order < 0 || series == nil) {
			series = r
		}
	}
	near := *cmp.Or(series, best, all[0])
	near.Asked = version
	return &near
}

// neighbours is the releases between which the version asked for lies; nil where there is none.
func (r *Release) neighbours() (older, newer *Release) {
	for _, other := range releases() {
		if CompareVersions(other.Version, r.Asked) < 0 {
			older = other
		} else if newer == nil {
			newer = other
		}
	}
	return older, newer
}

// AtLeast is true when the release is min or newer.
func (r *Release) AtLeast(min string) bool { return AtLeast(r.Version, min) }

// Lowers is true when Mosaic has a lowering rule for a JAX primitive ("dot_general", "sort") on the core; known is false
// for a core that is unknown or not a TPU's, of which nothing can be said. As jax._src.pallas.mosaic.lowering.lowering_rules.
//
// A rule may still refuse some operands.
func (r *Release) Lowers(core Core, primitive string) (ok, known bool) {
	rules, known := r.primitives()[core]
	return rules[primitive], known
}

// Primitives is every primitive that has a lowering rule on the core, sorted.
func (r *Release) Primitives(core Core) []string {
	var list []string
	for p := range r.primitives()[core] {
		list = append(list, p)
	}
	slices.Sort(list)
	return list
}

func readPrimitives(text string) map[Core]map[string]bool {
	out := map[Core]map[string]bool{}
	for line := range strings.Lines(text) {
		name, list, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		core, ok := ParseCore(name)
		if !ok {
			continue
		}
		set := map[string]bool{}
		for p := range strings.FieldsSeq(list) {
			set[p] = true
		}
		out[core] = set
	}
	return out
}
