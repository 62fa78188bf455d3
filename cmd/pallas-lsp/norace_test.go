//go:build !race

package main

// raceFactor is what the race detector may cost: there is none.
const raceFactor = 1
