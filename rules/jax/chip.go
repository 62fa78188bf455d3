package jax

import "strings"

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
}

// SparseCore is the SparseCore of a chip, as jax._src.tpu_info.SparseCoreInfo.
type SparseCore struct {
	Cores    int   // SparseCores of a TensorCore's device
	Subcores int   // vector subcores of each SparseCore
	Lanes    int   // of a vector register: the one shape of arrays is (Lanes,) for 32-bit elements
	VMEM     int64 // bytes of each vector subcore (TileSpmem)
	Granule  int   // bytes: sizes of DMAs are multiples of it
}

const (
	kib = 1 << 10
	mib = 1 << 20
)

// chips is in the order of age. TestChips compares it with the data that each release's generator wrote.
var chips = []*Chip{
	{Name: "v2", Kind: "TPU v2", Generation: 2, TensorCores: 2, Lanes: 128, Sublanes: 8, MXUColumns: 128, MXUs: 1,
		VMEM: 16 * mib, SMEM: 16 * kib, HBM: 8_000_000_000},
	{Name: "v3", Kind: "TPU v3", Generation: 3, TensorCores: 2, Lanes: 128, Sublanes: 8, MXUColumns: 128, MXUs: 2,
		VMEM: 16 * mib, SMEM: 16 * kib, HBM: 17_200_000_000},
	{Name: "v4i", Kind: "TPU v4 lite", Generation: 4, TensorCores: 1, Lanes: 128, Sublanes: 8, MXUColumns: 128, MXUs: 4,
		VMEM: 16 * mib, CMEM: 134_000_000, SMEM: mib, HBM: 8_590_000_000},
	{Name: "v4", Kind: "TPU v4", Generation: 4, TensorCores: 2, Megacore: true, Lanes: 128, Sublanes: 8, MXUColumns: 128, MXUs: 4,
		VMEM: 16 * mib, CMEM: 67_000_000, SMEM: mib, HBM: 17_200_000_000},
	{Name: "v5e", Kind: "TPU v5 lite", Kinds: []string{"TPU v5e"}, Generation: 5, TensorCores: 1, Lanes: 128, Sublanes: 8, MXUColumns: 128, MXUs: 4,
		VMEM: 128 * mib, SMEM: mib, HBM: 17_200_000_000},
	{Name: "v5p", Kind: "TPU v5", Kinds: []string{"TPU v5p"}, Generation: 5, TensorCores: 2, Megacore: true, Lanes: 128, Sublanes: 8, MXUColumns: 128, MXUs: 4,
		VMEM: 64 * mib, SMEM: mib, HBM: 51_500_000_000,
		SparseCore: &SparseCore{Cores: 4, Subcores: 16, Lanes: 8, VMEM: 512 * kib, Granule: 32}},
	{Name: "v6e", Kind: "TPU v6 lite", Kinds: []string{"TPU v6e"}, Generation: 6, TensorCores: 1, Lanes: 128, Sublanes: 8, MXUColumns: 256, MXUs: 2,
		VMEM: 128 * mib, SMEM: mib, HBM: 34_400_000_000,
		SparseCore: &SparseCore{Cores: 2, Subcores: 16, Lanes: 8, VMEM: 256 * kib, Granule: 32}},
	{Name: "7", Kind: "TPU7", Generation: 7, TensorCores: 2, Lanes: 128, Sublanes: 8, MXUColumns: 256, MXUs: 2, Accumulators: 128,
		VMEM: 64 * mib, SMEM: mib, HBM: 103_000_000_000,
		SparseCore: &SparseCore{Cores: 2, Subcores: 16, Lanes: 16, VMEM: 512 * kib, Granule: 32}},
	{Name: "7x", Kind: "TPU7x", Generation: 7, TensorCores: 2, Lanes: 128, Sublanes: 8, MXUColumns: 256, MXUs: 2, Accumulators: 128,
		VMEM: 64 * mib, SMEM: mib, HBM: 103_000_000_000,
		SparseCore: &SparseCore{Cores: 2, Subcores: 16, Lanes: 16, VMEM: 512 * kib, Granule: 32}},
	{Name: "8i", Kind: "TPU8i", Generation: 8, TensorCores: 2, Lanes: 128, Sublanes: 8, MXUColumns: 256, MXUs: 2, Accumulators: 256,
		VMEM: 192 * mib, SMEM: mib, HBM: 154_500_000_000,
		SparseCore: &SparseCore{Cores: 1, Subcores: 4, Lanes: 16, VMEM: 512 * kib, Granule: 64}},
	{Name: "8t", Kind: "TPU8t", Generation: 8, TensorCores: 1, Lanes: 128, Sublanes: 16, MXUColumns: 256, MXUs: 2, Accumulators: 256,
		VMEM: 128 * mib, SMEM: mib, HBM: 231_000_000_000,
		SparseCore: &SparseCore{Cores: 2, Subcores: 16, Lanes: 16, VMEM: 256 * kib, Granule: 64}},
}

// Chips is every chip known, oldest first. The caller must not change them.
func Chips() []*Chip { return chips }

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
	if key == "" {
		return nil, false
	}
	for _, c := range chips {
		if c.Name == key {
			return c, true
		}
	}
	return nil, false
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
