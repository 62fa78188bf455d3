package workspace

import (
	"fmt"
	"io"
	"os"
)

// MaxSource is the size in bytes above which a Python file is not read.
const MaxSource = 8 << 20

// readRegular reads a regular file of at most limit bytes. What is no regular file (a pipe would block) is not opened.
func readRegular(path string, limit int64) ([]byte, bool) {
	text, err := ReadFile(path, limit)
	return text, err == nil
}

// ReadFile reads a regular file of at most limit bytes, or says why not.
func ReadFile(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file", path)
	}
	if info.Size() > limit {
		return nil, fmt.Errorf("%s: larger than %d MiB", path, limit>>20)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = fmt.Errorf("%s: larger than %d MiB", path, limit>>20)
	}
	return text, err
}
