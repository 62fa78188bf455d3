package dma

import "pallas-lsp/rules/infer"

// adds are the copies that are certainly started with add=True.
func adds(k *infer.Kernel) []*infer.Event {
	var out []*infer.Event
	for _, e := range starts(k) {
		if on, ok := e.Call.Arg("add").(infer.Bool); ok && bool(on) {
			out = append(out, e)
		}
	}
	return out
}
