package workspace

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// MaxSource is the size in bytes above which a Python file is not read.
const MaxSource = 8 << 20

var errNotRegular = errors.New("neither a regular file nor a folder")

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
	if info.IsDir() { // named since it can't be walked
		_, err := os.ReadDir(path)
		return nil, cmp.Or(err, errors.New("a folder"))
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	if info.Size() > limit {
		return nil, fmt.Errorf("larger than %d MiB", limit>>20)
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // what has become a pipe since must not hold us
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = fmt.Errorf("larger than %d MiB", limit>>20)
	}
	return text, err
}
