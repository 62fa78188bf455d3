package infer

import (
	"strings"

	"pallas-lsp/rules/jax"
)

// The identities of what JAX tells of the device that it runs on (jax/_src/tpu_info.py TpuInfo, SparseCoreInfo).
const (
	tpuInfo        = "get_tpu_info()"
	sparseCoreInfo = "get_sparse_core_info()"
)

func init() {
	register(map[string]model{
		tpu + "get_tpu_info":          func(*interp, *frame, *Call) Value { return opaque(tpuInfo) },
		plsc + "get_sparse_core_info": func(*interp, *frame, *Call) Value { return opaque(sparseCoreInfo) },
	})
}

// tpuNumbers are the numbers among the fields of TpuInfo; nil where the data of the chips lack it.
var tpuNumbers = map[string]func(*jax.Chip) int64{
	"generation":              func(c *jax.Chip) int64 { return int64(c.Generation) },
	"num_lanes":               func(c *jax.Chip) int64 { return int64(c.Lanes) },
	"num_sublanes":            func(c *jax.Chip) int64 { return int64(c.Sublanes) },
	"mxu_column_size":         func(c *jax.Chip) int64 { return int64(c.MXUColumns) },
	"num_mxus":                func(c *jax.Chip) int64 { return int64(c.MXUs) },
	"num_accumulators":        func(c *jax.Chip) int64 { return int64(c.Accumulators) },
	"vmem_capacity_bytes":     func(c *jax.Chip) int64 { return c.VMEM },
	"cmem_capacity_bytes":     func(c *jax.Chip) int64 { return c.CMEM },
	"smem_capacity_bytes":     func(c *jax.Chip) int64 { return c.SMEM },
	"hbm_capacity_bytes":      func(c *jax.Chip) int64 { return c.HBM },
	"num_cores":               nil, // two act as one by how the device is set up
	"mem_bw_bytes_per_second": nil,
	"bf16_ops_per_second":     nil,
	"int8_ops_per_second":     nil,
	"fp8_ops_per_second":      nil,
	"int4_ops_per_second":     nil,
}

// sparseCoreNumbers are the numbers among the fields of SparseCoreInfo.
var sparseCoreNumbers = map[string]func(*jax.SparseCore) int64{
	"num_cores":              func(s *jax.SparseCore) int64 { return int64(s.Cores) },
	"num_subcores":           func(s *jax.SparseCore) int64 { return int64(s.Subcores) },
	"num_lanes":              func(s *jax.SparseCore) int64 { return int64(s.Lanes) },
	"vmem_capacity_bytes":    func(s *jax.SparseCore) int64 { return s.VMEM },
	"dma_granule_size_bytes": func(s *jax.SparseCore) int64 { return int64(s.Granule) },
}

// isHardwareNumber reports whether a key is that of a number which depends on the device: a Python int, whatever its value.
func isHardwareNumber(key string) bool { return hardwareNumber(key) != nil }

// hardwareNumber is the number that a key stands for, as a function of the chip, which says false where it has no such number; nil: the key is
// that of something else.
func hardwareNumber(key string) func(*jax.Chip) (int64, bool) {
	if field, ok := strings.CutPrefix(key, tpuInfo+"."); ok {
		if get, is := tpuNumbers[field]; is {
			return func(c *jax.Chip) (int64, bool) {
				if get == nil {
					return 0, false
				}
				return get(c), true
			}
		}
	}
	field, ok := strings.CutPrefix(key, sparseCoreInfo+".")
	if !ok {
		field, ok = strings.CutPrefix(key, tpuInfo+".sparse_core.")
	}
	get, is := sparseCoreNumbers[field]
	if !ok || !is {
		return nil
	}
	return func(c *jax.Chip) (int64, bool) {
		if c.SparseCore == nil {
			return 0, false
		}
		return get(c.SparseCore), true
	}
}

// hardware is a number of the device: that of the chip which is configured, else what all chips that have it agree on.
func (ip *interp) hardware(key string) Value {
	number := hardwareNumber(key)
	if number == nil {
		return opaque(key)
	}
	chips := jax.Chips()
	if ip.opts.Chip != nil {
		chips = []*jax.Chip{ip.opts.Chip}
	}
	var all *Int
	for _, c := range chips {
		own, _ := ip.rel.Chip(c)
		n, has := number(own)
		if !has {
			continue
		}
		if all != nil && !all.Is(n) {
			return opaque(key)
		}
		all = N(n)
	}
	if all == nil {
		return opaque(key)
	}
	return all
}
