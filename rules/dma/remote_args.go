package dma

import (
	"strings"

	"pallas-lsp/rules/infer"
	"pallas-lsp/rules/rule"
)

const tpu = "jax.experimental.pallas.tpu."

// remoteArgs models jax/_src/pallas/mosaic/primitives.py make_async_remote_copy and AsyncCopyDescriptor.__post_init__.
var remoteArgs = &rule.Rule{
	Name: "dma-remote-args",
	Page: page("remote_args.md"),
	Call: map[string]func(*rule.Pass, *infer.Call){
		tpu + "make_async_remote_copy": checkRemote,
		tpu + "async_remote_copy":      checkRemote,
	},
}

func checkRemote(p *rule.Pass, c *infer.Call) {
	device := c.Arg("device_id")
	if device != nil && isNone(device) {
		p.Report(c.ArgLoc("device_id"), "a copy to another device needs a device_id, not None; a copy within the device is `make_async_copy`").At(c.Loc).
			Says("ValueError: `device_id` is required for a remote copy. Use `make_async_copy` for a local one.")
		return
	}
	for _, sem := range []string{"send_sem", "recv_sem"} {
		if v := c.Arg(sem); v != nil && isNone(v) {
			p.Report(c.ArgLoc(sem), "%s is None; a copy to another device signals two semaphores, one on each device", sem).At(c.Loc).
				Says("ValueError: Both `src_sem` and `dst_sem` (`sem`) must be set when `device_id` is set.")
		}
	}
	if api, ok := c.Arg("device_id_type").(*infer.API); ok && strings.HasSuffix(api.Name, "DeviceIdType.LOGICAL") {
		switch device.(type) {
		case *infer.Tuple, *infer.Dict:
			p.Report(c.ArgLoc("device_id"), "a LOGICAL device_id is one number, not a tuple or dict of mesh coordinates").At(c.Loc).
				Says("AssertionError: LOGICAL device_id_type does not support device_id as a tuple or dict.")
		}
	}
}
