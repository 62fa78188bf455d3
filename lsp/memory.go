package lsp

import (
	"math"
	"runtime/debug"
	"runtime/metrics"
)

// The garbage of an analysis is collected late, which is fast, while the heap is small; the limit that bounds this follows what is alive, as a
// heap that is pressed against its limit is collected without end.
const (
	leastLimit = 84 << 20 // bytes of the Go runtime; Tree-sitter's come on top
	roomFor    = 2.5      // times what is alive
)

// limitMemory adapts the limit to what the last collection found alive.
func limitMemory() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	if live[0].Value.Kind() != metrics.KindUint64 {
		return
	}
	debug.SetMemoryLimit(int64(math.Max(leastLimit, roomFor*float64(live[0].Value.Uint64()))))
}
