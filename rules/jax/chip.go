package jax

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Chip is one generation of TPU as jax._src.tpu_info (jax/_src/pallas/mosaic/tpu_info.py before 0.11) describes it. Capacities are
// in bytes and for one TensorCore.
type Chip struct {
	Name         string   // as --chip takes it: "v5e", "7x"
	Kind         string   // as jax.Device.device_kind says it: "TPU v5 lite"
	Kinds        []string // every device kind that JAX takes for this chip
	Generation   int      // 2 to 8
	TensorCores  int      // physical TensorCores of a chip
	Megacore     bool     // two TensorCores can act as one device
	Lanes        int      // of a vector register: the last dimension of a tile, 128
	Sublanes     int      // of a vector register: the second last dimension of a tile of 32-bit elements, 8
	MXUColumns   int      // of one MXU: 128 or 256
	MXUs         int      // of a TensorCore
	Accumulators int      // of an MXU; 0: it has none that can be named

	VMEM int64 // bytes for each TensorCore
	CMEM int64 // bytes; 0 but for v4
	SMEM int64 // bytes for each TensorCore
	HBM  int64 // bytes for each TensorCore

	SparseCore *SparseCore // nil: it has none that Pallas can program

	matmul []string // pairs of dtypes that the MXU multiplies
}

// SparseCore is the SparseCore of a chip, as jax._src.tpu_info.SparseCoreInfo.
type SparseCore struct {
	Cores    int   // SparseCores of a TensorCore's device
	Subcores int   // vector subcores of each SparseCore
	Lanes    int   // of a vector register: the one shape of arrays is (Lanes,) for 32-bit elements
	VMEM     int64 // bytes of each vector subcore (TileSpmem)
	Granule  int   // bytes: sizes of DMAs are multiples of it
}

// chipData is a chip as generate.py writes it: the fields of JAX's TpuInfo.
type chipData struct {
	Generation   int
	Cores        int      `json:"tensor_cores"`
	Megacore     bool     `json:"megacore"`
	Kinds        []string `json:"kinds"`
	Matmul       []string `json:"matmul"`
	Lanes        int      `json:"num_lanes"`
	Sublanes     int      `json:"num_sublanes"`
	Columns      int      `json:"mxu_column_size"`
	MXUs         int      `json:"num_mxus"`
	Accumulators int      `json:"num_accumulators"`
	VMEM         int64    `json:"vmem_capacity_bytes"`
	CMEM         int64    `json:"cmem_capacity_bytes"`
	SMEM         int64    `json:"smem_capacity_bytes"`
	HBM          int64    `json:"hbm_capacity_bytes"`
	SparseCore   *struct {
		Cores    int   `json:"num_cores"`
		Subcores int   `json:"num_subcores"`
		Lanes    int   `json:"num_lanes"`
		VMEM     int64 `json:"vmem_capacity_bytes"`
		Granule  int   `json:"dma_granule_size_bytes"`
	} `json:"sparse_core"`
}

func readChips(text string) map[string]*Chip {
	var table map[string]chipData
	if err := json.Unmarshal([]byte(text), &table); err != nil {
		panic("jax: chips.json: " + err.Error())
	}
	out := make(map[string]*Chip, len(table))
	for name, d := range table {
		c := &Chip{Name: name, Kind: d.Kinds[0], Kinds: d.Kinds, Generation: d.Generation, TensorCores: d.Cores, Megacore: d.Megacore,
			Lanes: d.Lanes, Sublanes: d.Sublanes, MXUColumns: d.Columns, MXUs: d.MXUs, Accumulators: d.Accumulators,
			VMEM: d.VMEM, CMEM: d.CMEM, SMEM: d.SMEM, HBM: d.HBM, matmul: d.Matmul}
		for _, kind := range d.Kinds {
			if strings.HasSuffix(kind, " lite") || kind == "TPU v5" {
				c.Kind = kind // what the device itself says
			}
		}
		if sc := d.SparseCore; sc != nil {
			c.SparseCore = &SparseCore{Cores: sc.Cores, Subcores: sc.Subcores, Lanes: sc.Lanes, VMEM: sc.VMEM, Granule: sc.Granule}
		}
		out[name] = c
	}
	return out
}

// Chips is every chip that the newest release knows, oldest first. The caller must not change them.
func Chips() []*Chip {
	return slices.SortedFunc(maps.Values(Newest().chips()), func(a, b *Chip) int {
		return cmp.Or(cmp.Compare(a.Generation, b.Generation), cmp.Compare(a.Name, b.Name))
	})
}

// Chip is what the release says of a chip, which releases have corrected: 0.8.3 gives v7x four SparseCores, 0.12 two. What an older
// release does not tell comes from the newest. known is false when the release does not know the chip at all; the result is c then.
func (r *Release) Chip(c *Chip) (chip *Chip, known bool) {
	own := r.chips()[c.Name]
	newest := Newest().chips()[c.Name]
	switch {
	case own == nil || newest == nil:
		return c, own != nil
	case own == newest:
		return own, true
	}
	merged := *own
	merged.TensorCores, merged.Megacore = newest.TensorCores, newest.Megacore
	merged.MXUs = cmp.Or(own.MXUs, newest.MXUs)
	merged.Accumulators = cmp.Or(own.Accumulators, newest.Accumulators)
	if own.SparseCore != nil && newest.SparseCore != nil {
		sc := *own.SparseCore
		sc.VMEM = cmp.Or(sc.VMEM, newest.SparseCore.VMEM)
		merged.SparseCore = &sc
	}
	return &merged, true
}

// ParseChip reads a chip as --chip takes it (v4, v5e, v5p, v6e, 7x), as JAX's device kinds ("TPU v5 lite", "TPU7x") or
// ChipVersion members ("TPU_V5E") name it, or as topologies do ("tpu7x", "v5litepod"), without regard to case, spaces, hyphens and underscores.
func ParseChip(name string) (*Chip, bool) {
	key := chipKey(name)
	switch key {
	case "v5lite", "v5litepod":
		key = "v5e"
	case "v5":
		key = "v5p"
	case "v6", "v6lite", "trillium":
		key = "v6e"
	case "v4lite":
		key = "v4i"
	case "v7x", "ironwood":
		key = "7x"
	case "v7":
		key = "7"
	case "v8i":
		key = "8i"
	case "v8t":
		key = "8t"
	}
	c, ok := Newest().chips()[key]
	return c, ok
}

func chipKey(name string) string {
	key := strings.ToLower(name)
	key = strings.NewReplacer(" ", "", "-", "", "_", "").Replace(key)
	return strings.TrimPrefix(key, "tpu")
}

// HasSparseCore is true for chips whose SparseCore Pallas can program.
func (c *Chip) HasSparseCore() bool { return c.SparseCore != nil }

// SublaneTiling is the second last dimension of the tile that XLA gives arrays of the dtype in HBM, in elements; 0 when
// the size of d is unknown. As TpuInfo.get_sublane_tiling.
func (c *Chip) SublaneTiling(d DType) int {
	b := d.Bits()
	switch {
	case b == 0 || b > 32:
		return 0
	case c.Generation < 7 && b >= 16:
		return c.Sublanes
	}
	return c.Sublanes * (32 / b)
}

// MatmulSupported is whether the MXU multiplies the two dtypes without a cast; Mosaic refuses or converts others. As
// TpuInfo.is_matmul_supported, of the release that the chip is from.
func (c *Chip) MatmulSupported(lhs, rhs DType) bool {
	return slices.Contains(c.matmul, string(lhs)+" "+string(rhs))
}
