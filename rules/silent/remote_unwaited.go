package silent

import (
	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

// remoteUnwaited: a remote copy signals two semaphores, one when its source has been sent and one where it has arrived.
var remoteUnwaited = &rule.Rule{
	Name: "dma-remote-half-waited",
	Page: page("remote_half_waited.md"),
	Kernel: seen(func(p *rule.Pass, k *infer.Kernel) {
		all := semaphores(k)
		for _, s := range started(p, k) {
			if !s.Desc.Remote {
				continue
			}
			received, known := awaited(all, s.Refs[2])
			sent, ok := awaited(all, s.Refs[3])
			if !known || !ok || received == sent {
				continue
			}
			end, why := s.Refs[2], "nobody knows when what the other device sends has arrived"
			if received {
				end, why = s.Refs[3], "nobody knows when the source may be used again"
			}
			p.Report(s.Desc.Loc, "the kernel waits on one of the two semaphores of this remote copy, and never on %s: %s", name(end), why).
				At(anchor(s)).Also(s.Loc, "started here")
		}
	}),
}
