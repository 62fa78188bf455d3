package infer

import "strings"

// sparseCoreInfo is the identity of what JAX tells of the SparseCores of the device it runs on (jax/_src/tpu_info.py SparseCoreInfo).
const sparseCoreInfo = "get_sparse_core_info()"

func init() {
	register(map[string]model{
		plsc + "get_sparse_core_info": func(*interp, *frame, *Call) Value { return opaque(sparseCoreInfo) },
		tpu + "get_tpu_info":          func(*interp, *frame, *Call) Value { return opaque("get_tpu_info()") },
	})
}

// isHardwareNumber reports whether a key is that of a number which depends on the device: a Python int, whatever its value.
func isHardwareNumber(key string) bool {
	field, ok := strings.CutPrefix(key, sparseCoreInfo+".")
	switch field {
	case "num_cores", "num_subcores", "num_lanes", "vmem_capacity_bytes", "dma_granule_size_bytes":
		return ok
	}
	return false
}
