package dma

import "pallas-lsp/rules/infer"

// packing is how many rows of a type share one row of a tile.
var packing = map[int]int64{32: 1, 16: 2, 8: 4}

// rows judges the second last dimension: tiles of 8 rows, of which narrow types pack several into one.
func rows(x infer.IndexItem, shape infer.Shape, bits int) (why, says string) {
	width, known := shape.Dim(-1).Known()
	pack := packing[bits]
	switch {
	case !known:
		return "", ""
	case x.Kind == infer.IndexInt && pack > 1:
		return "picks one row; rows of a type this narrow are packed, and are copied in groups", offsetsSay
	case x.Kind != infer.IndexSlice:
		return "", ""
	}
	start, static := x.Start.Known()
	switch {
	case static && start%pack != 0:
		return "starts within a group of packed rows", offsetsSay
	case !static && pack > 1 && x.Start.Unproven(pack):
		return "starts at a computed row, which is not known to be the first of a group of packed rows", offsetsSay
	case pack > 1 || width <= 128:
		return "", ""
	}
	return wide(x, shape)
}

// wide judges rows of 32-bit elements that are more than one tile wide.
func wide(x infer.IndexItem, shape infer.Shape) (why, says string) {
	size, sized := x.Size.Known()
	start, static := x.Start.Known()
	dim, known := shape.Dim(-2).Known()
	switch {
	case !sized:
		return "", ""
	case static && start%8 != 0 && start%8+size > 8:
		return "starts within a tile of 8 rows and reaches into the next one", offsetsSay
	case !static && size >= 8 && x.Start.Unproven(8):
		return "starts at a computed row, which is not known to be a multiple of 8", offsetsSay
	case static && known && start%8 == 0 && size > 8 && size%8 != 0 && start+size < dim:
		return "ends within a tile of 8 rows", sizesSay
	}
	return "", ""
}
