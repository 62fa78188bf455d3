package parse

// The only file that knows Tree-sitter. The runtime and the grammar are compiled by the smacker module; its Go wrapper
// crosses into C several times for each node, so this file declares the few functions that it needs and walks a tree
// in one call. C code here reaches them through a table of pointers that Go fills in: a direct call would be an
// undefined symbol when cgo links this package alone, while a pointer taken in Go is resolved by the final link.

/*
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct TSParser TSParser;
typedef struct TSTree TSTree;
typedef struct TSLanguage TSLanguage;
typedef struct { uint32_t row, column; } TSPoint;
typedef struct { uint32_t context[4]; const void *id; const TSTree *tree; } TSNode;
typedef struct { const void *tree; const void *id; uint32_t context[3]; } TSTreeCursor;
typedef struct {
	uint32_t start_byte, old_end_byte, new_end_byte;
	TSPoint start_point, old_end_point, new_end_point;
} TSInputEdit;

const TSLanguage *tree_sitter_python(void);
const char *ts_language_symbol_name(const TSLanguage *, uint16_t);
uint32_t ts_language_symbol_count(const TSLanguage *);
int ts_language_symbol_type(const TSLanguage *, uint16_t);
const char *ts_language_field_name_for_id(const TSLanguage *, uint16_t);
uint32_t ts_language_field_count(const TSLanguage *);
TSParser *ts_parser_new(void);
void ts_parser_delete(TSParser *);
bool ts_parser_set_language(TSParser *, const TSLanguage *);
void ts_parser_set_timeout_micros(TSParser *, uint64_t);
void ts_parser_reset(TSParser *);
TSTree *ts_parser_parse_string(TSParser *, const TSTree *, const char *, uint32_t);
void ts_tree_delete(TSTree *);
TSTree *ts_tree_copy(const TSTree *);
void ts_tree_edit(TSTree *, const TSInputEdit *);
TSNode ts_tree_root_node(const TSTree *);
uint32_t ts_node_descendant_count(TSNode);
bool ts_node_has_error(TSNode);
uint16_t ts_node_symbol(TSNode);
uint32_t ts_node_start_byte(TSNode);
uint32_t ts_node_end_byte(TSNode);
bool ts_node_is_missing(TSNode);
TSTreeCursor ts_tree_cursor_new(TSNode);
void ts_tree_cursor_delete(TSTreeCursor *);
TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
uint16_t ts_tree_cursor_current_field_id(const TSTreeCursor *);
bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
bool ts_tree_cursor_goto_parent(TSTreeCursor *);

typedef struct {
	const TSLanguage *(*tree_sitter_python)(void);
	const char *(*language_symbol_name)(const TSLanguage *, uint16_t);
	uint32_t (*language_symbol_count)(const TSLanguage *);
	int (*language_symbol_type)(const TSLanguage *, uint16_t);
	const char *(*language_field_name_for_id)(const TSLanguage *, uint16_t);
	uint32_t (*language_field_count)(const TSLanguage *);
	TSParser *(*parser_new)(void);
	void (*parser_delete)(TSParser *);
	bool (*parser_set_language)(TSParser *, const TSLanguage *);
	void (*parser_set_timeout_micros)(TSParser *, uint64_t);
	void (*parser_reset)(TSParser *);
	TSTree *(*parser_parse_string)(TSParser *, const TSTree *, const char *, uint32_t);
	void (*tree_delete)(TSTree *);
	TSTree *(*tree_copy)(const TSTree *);
	void (*tree_edit)(TSTree *, const TSInputEdit *);
	TSNode (*tree_root_node)(const TSTree *);
	uint32_t (*node_descendant_count)(TSNode);
	bool (*node_has_error)(TSNode);
	uint16_t (*node_symbol)(TSNode);
	uint32_t (*node_start_byte)(TSNode);
	uint32_t (*node_end_byte)(TSNode);
	bool (*node_is_missing)(TSNode);
	TSTreeCursor (*tree_cursor_new)(TSNode);
	void (*tree_cursor_delete)(TSTreeCursor *);
	TSNode (*tree_cursor_current_node)(const TSTreeCursor *);
	uint16_t (*tree_cursor_current_field_id)(const TSTreeCursor *);
	bool (*tree_cursor_goto_first_child)(TSTreeCursor *);
	bool (*tree_cursor_goto_next_sibling)(TSTreeCursor *);
	bool (*tree_cursor_goto_parent)(TSTreeCursor *);
} pl_api;

static pl_api pl;

static pl_api *pl_table(void) { return &pl; }

// Mirrors the Go struct record.
typedef struct {
	uint32_t start, end, next;
	uint16_t symbol;
	uint8_t field, missing;
} pl_record;

static TSParser *pl_new_parser(uint64_t timeout_micros) {
	TSParser *p = pl.parser_new();
	if (p == NULL) return NULL;
	if (!pl.parser_set_language(p, pl.tree_sitter_python())) {
		pl.parser_delete(p);
		return NULL;
	}
	pl.parser_set_timeout_micros(p, timeout_micros);
	return p;
}

static void pl_delete_parser(TSParser *p) { pl.parser_delete(p); }
static void pl_delete_tree(TSTree *t) { pl.tree_delete(t); }
static TSTree *pl_copy_tree(const TSTree *t) { return pl.tree_copy(t); }
static void pl_edit_tree(TSTree *t, const TSInputEdit *e) { pl.tree_edit(t, e); }

static TSTree *pl_parse(TSParser *p, TSTree *old, const char *text, uint32_t n, uint32_t *nodes, bool *broken) {
	TSTree *t = pl.parser_parse_string(p, old, text, n);
	if (t == NULL) {
		pl.parser_reset(p);
		return NULL;
	}
	TSNode root = pl.tree_root_node(t);
	*nodes = pl.node_descendant_count(root);
	*broken = pl.node_has_error(root);
	return t;
}

// Writes the nodes of the tree in preorder. next is the index after the last descendant; while a node is open, it holds
// the index of the parent, so that the walk needs no stack of its own.
static uint32_t pl_walk(const TSTree *t, pl_record *out, uint32_t cap) {
	TSTreeCursor c = pl.tree_cursor_new(pl.tree_root_node(t));
	uint32_t n = 0, parent = 0;
	while (n < cap) {
		TSNode node = pl.tree_cursor_current_node(&c);
		pl_record *r = &out[n];
		r->start = pl.node_start_byte(node);
		r->end = pl.node_end_byte(node);
		r->symbol = pl.node_symbol(node);
		r->field = (uint8_t)pl.tree_cursor_current_field_id(&c);
		r->missing = pl.node_is_missing(node);
		r->next = parent;
		uint32_t self = n++;
		if (pl.tree_cursor_goto_first_child(&c)) {
			parent = self;
			continue;
		}
		out[self].next = n;
		while (!pl.tree_cursor_goto_next_sibling(&c)) {
			if (!pl.tree_cursor_goto_parent(&c)) goto done;
			uint32_t up = out[parent].next;
			out[parent].next = n;
			parent = up;
		}
	}
	// The array was too small, which the caller's count should rule out: close what is open.
	while (n > 0) {
		uint32_t up = out[parent].next;
		out[parent].next = n;
		if (parent == 0) break;
		parent = up;
	}
done:
	pl.tree_cursor_delete(&c);
	return n;
}

static const char *pl_symbol_name(uint16_t s) { return pl.language_symbol_name(pl.tree_sitter_python(), s); }
static int pl_symbol_type(uint16_t s) { return pl.language_symbol_type(pl.tree_sitter_python(), s); }
static uint32_t pl_symbol_count(void) { return pl.language_symbol_count(pl.tree_sitter_python()); }
static const char *pl_field_name(uint16_t f) { return pl.language_field_name_for_id(pl.tree_sitter_python(), f); }
static uint32_t pl_field_count(void) { return pl.language_field_count(pl.tree_sitter_python()); }
*/
import "C"

import (
	"runtime"
	"strings"
	"sync"
	"unsafe"

	_ "github.com/smacker/go-tree-sitter/python" // compiles the runtime and the grammar into the binary
)

// parseTimeout bounds one call of the parser, in microseconds. Only pathological text comes near it.
const parseTimeout = 2_000_000

// record is one node of a Tree-sitter tree, in preorder: the children of record i are i+1, next of that, and so on, up
// to next of i.
type record struct {
	start, end, next uint32
	symbol           uint16
	field, missing   uint8
}

// tree is a Tree-sitter tree. One goroutine at a time may use it. Its memory is C memory, which Go's collector does not
// see: close it. One that is kept in a File, which nobody closes, is given to guard.
type tree struct {
	c       *C.TSTree
	nodes   int
	broken  bool // there is an ERROR or MISSING node
	guarded bool
	cleanup runtime.Cleanup
}

// guard frees the tree when it is dropped without being closed.
func (t *tree) guard() {
	t.cleanup = runtime.AddCleanup(t, func(c *C.TSTree) { C.pl_delete_tree(c) }, t.c)
	t.guarded = true
}

func (t *tree) close() {
	if t == nil || t.c == nil {
		return
	}
	if t.guarded {
		t.cleanup.Stop()
	}
	C.pl_delete_tree(t.c)
	t.c = nil
}

// copy returns a tree that shares its nodes with t and can be edited without t noticing.
func (t *tree) copy() *tree {
	defer runtime.KeepAlive(t)
	return &tree{c: C.pl_copy_tree(t.c), nodes: t.nodes, broken: t.broken}
}

// treeEdit says that text[start:oldEnd] of the old text became text[start:newEnd] of the new one.
type treeEdit struct{ start, oldEnd, newEnd int }

func (t *tree) edit(e treeEdit, oldText, newText string) {
	in := C.TSInputEdit{
		start_byte:    C.uint32_t(e.start),
		old_end_byte:  C.uint32_t(e.oldEnd),
		new_end_byte:  C.uint32_t(e.newEnd),
		start_point:   point(oldText, e.start),
		old_end_point: point(oldText, e.oldEnd),
		new_end_point: point(newText, e.newEnd),
	}
	C.pl_edit_tree(t.c, &in)
}

func point(text string, off int) C.TSPoint {
	head := text[:off]
	return C.TSPoint{
		row:    C.uint32_t(strings.Count(head, "\n")),
		column: C.uint32_t(off - 1 - strings.LastIndexByte(head, '\n')),
	}
}

// records returns the nodes of the tree, in a buffer that is reused when it is big enough.
func (t *tree) records(buf []record) []record {
	need := t.nodes + 1
	if cap(buf) < need {
		buf = make([]record, need)
	}
	buf = buf[:cap(buf)]
	n := C.pl_walk(t.c, (*C.pl_record)(unsafe.Pointer(&buf[0])), C.uint32_t(len(buf)))
	runtime.KeepAlive(t)
	return buf[:n]
}

// parser wraps a Tree-sitter parser with a buffer for the records. One goroutine at a time may use it.
type parser struct {
	c   *C.TSParser
	buf []record
}

// idleParsers keeps a few parsers for the next caller. It is a channel and not a sync.Pool because a parser that is
// dropped without being deleted leaks C memory.
var idleParsers = make(chan *parser, 4)

func getParser() *parser {
	loadLanguage()
	select {
	case p := <-idleParsers:
		return p
	default:
		return &parser{c: C.pl_new_parser(parseTimeout)}
	}
}

func (p *parser) put() {
	const keep = 1 << 18 // records; a buffer for an enormous file is not worth keeping
	if cap(p.buf) > keep {
		p.buf = nil
	}
	select {
	case idleParsers <- p:
	default:
		C.pl_delete_parser(p.c)
		p.c = nil
	}
}

// parse reads text; old, if any, is the edited tree of an earlier version. It returns nil if the parser gave up.
func (p *parser) parse(text string, old *tree) *tree {
	if p.c == nil {
		return nil
	}
	var oldC *C.TSTree
	if old != nil {
		oldC = old.c
	}
	var nodes C.uint32_t
	var broken C.bool
	data := unsafe.StringData(text)
	if len(text) == 0 {
		data = unsafe.StringData("\x00")
	}
	c := C.pl_parse(p.c, oldC, (*C.char)(unsafe.Pointer(data)), C.uint32_t(len(text)), &nodes, &broken)
	runtime.KeepAlive(old)
	if c == nil {
		return nil
	}
	return &tree{c: c, nodes: int(nodes), broken: bool(broken)}
}

// The grammar's numbers for symbols and fields, as our kinds and fields.
var (
	symbolKinds []kind
	fieldIDs    []field
)

// loadLanguage fills the table of functions and the tables of symbols.
var loadLanguage = sync.OnceFunc(func() {
	t := C.pl_table()
	t.tree_sitter_python = (*[0]byte)(C.tree_sitter_python)
	t.language_symbol_name = (*[0]byte)(C.ts_language_symbol_name)
	t.language_symbol_count = (*[0]byte)(C.ts_language_symbol_count)
	t.language_symbol_type = (*[0]byte)(C.ts_language_symbol_type)
	t.language_field_name_for_id = (*[0]byte)(C.ts_language_field_name_for_id)
	t.language_field_count = (*[0]byte)(C.ts_language_field_count)
	t.parser_new = (*[0]byte)(C.ts_parser_new)
	t.parser_delete = (*[0]byte)(C.ts_parser_delete)
	t.parser_set_language = (*[0]byte)(C.ts_parser_set_language)
	t.parser_set_timeout_micros = (*[0]byte)(C.ts_parser_set_timeout_micros)
	t.parser_reset = (*[0]byte)(C.ts_parser_reset)
	t.parser_parse_string = (*[0]byte)(C.ts_parser_parse_string)
	t.tree_delete = (*[0]byte)(C.ts_tree_delete)
	t.tree_copy = (*[0]byte)(C.ts_tree_copy)
	t.tree_edit = (*[0]byte)(C.ts_tree_edit)
	t.tree_root_node = (*[0]byte)(C.ts_tree_root_node)
	t.node_descendant_count = (*[0]byte)(C.ts_node_descendant_count)
	t.node_has_error = (*[0]byte)(C.ts_node_has_error)
	t.node_symbol = (*[0]byte)(C.ts_node_symbol)
	t.node_start_byte = (*[0]byte)(C.ts_node_start_byte)
	t.node_end_byte = (*[0]byte)(C.ts_node_end_byte)
	t.node_is_missing = (*[0]byte)(C.ts_node_is_missing)
	t.tree_cursor_new = (*[0]byte)(C.ts_tree_cursor_new)
	t.tree_cursor_delete = (*[0]byte)(C.ts_tree_cursor_delete)
	t.tree_cursor_current_node = (*[0]byte)(C.ts_tree_cursor_current_node)
	t.tree_cursor_current_field_id = (*[0]byte)(C.ts_tree_cursor_current_field_id)
	t.tree_cursor_goto_first_child = (*[0]byte)(C.ts_tree_cursor_goto_first_child)
	t.tree_cursor_goto_next_sibling = (*[0]byte)(C.ts_tree_cursor_goto_next_sibling)
	t.tree_cursor_goto_parent = (*[0]byte)(C.ts_tree_cursor_goto_parent)

	symbolKinds = make([]kind, C.pl_symbol_count())
	for i := range symbolKinds {
		name := C.GoString(C.pl_symbol_name(C.uint16_t(i)))
		if C.pl_symbol_type(C.uint16_t(i)) == 1 { // an anonymous token: "lambda" is also the name of a node
			symbolKinds[i] = tokenKinds[name]
			continue
		}
		symbolKinds[i] = nodeKinds[name]
	}
	fieldIDs = make([]field, C.pl_field_count()+1)
	for i := range fieldIDs {
		if name := C.pl_field_name(C.uint16_t(i)); name != nil {
			fieldIDs[i] = fieldByName[C.GoString(name)]
		}
	}
})
