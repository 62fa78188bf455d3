//go:build race

package main

// raceFactor is what the race detector may cost.
const raceFactor = 15
