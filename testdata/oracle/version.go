package oracle

// The releases of JAX that record asks: all of the newest, and of the older one what names versions. What releases asks is Measured.
const (
	Newest = "0.12.0.1"
	Older  = "0.10.2"
)

// Measured is the releases that every block is put to once, oldest first.
var Measured = []string{"0.8.3", "0.9.2", "0.10.2", "0.11.0", Newest}
