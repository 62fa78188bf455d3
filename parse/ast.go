package parse

// The syntax tree: plain structs, one per Python construct, with byte spans relative to the chunk that holds them
// (see Chunk). It knows Python and nothing of JAX.

// Span is a half-open range of bytes, counted from the start of the chunk.
type Span struct{ Start, End int32 }

// Node is any node of the syntax tree: an Expr, a Stmt, a Pattern, or a pointer to an Arg, Param, Alias, Handler or
// MatchCase.
type Node interface{ Span() Span }

// Contains reports whether the span holds the byte at off.
func (s Span) Contains(off int32) bool { return s.Start <= off && off < s.End }

// Expr is an expression; Stmt is a statement.
type (
	Expr interface {
		Node
		expr()
	}
	Stmt interface {
		Node
		stmt()
	}
)

type node struct{ span Span }

// Span returns the bytes that the node covers.
func (n node) Span() Span { return n.span }

type exprNode struct{ node }

func (exprNode) expr() {}

type stmtNode struct{ node }

func (stmtNode) stmt() {}

// Expressions.
type (
	// Name is an identifier that is read, bound or deleted.
	Name struct {
		exprNode
		ID string
	}
	// Const is None, True, False or Ellipsis.
	Const struct {
		exprNode
		Kind ConstKind
	}
	// Int is an integer literal. Big is set when it does not fit int64 (Value is then 0).
	Int struct {
		exprNode
		Value int64
		Big   bool
	}
	// Float is a float or imaginary literal.
	Float struct {
		exprNode
		Value     float64
		Imaginary bool
	}
	// Str is a string literal (adjacent literals joined). Value is decoded; an f-string has Parts and no Value.
	Str struct {
		exprNode
		Value string
		Bytes bool
		F     bool
		Parts []Expr // the interpolated expressions of an f-string, in order
	}
	// Attr is X.Name. Name is empty in a half-typed `X.`.
	Attr struct {
		exprNode
		X        Expr
		Name     string
		NameSpan Span
	}
	// Call is Func(Args...).
	Call struct {
		exprNode
		Func     Expr
		Args     []Arg
		ArgsSpan Span // the parentheses and what is between them (a lone generator argument included)
	}
	// Index is X[Items...]. Items holds the comma-separated subscripts; Tuple says that there was a comma.
	// Slices and starred items occur among Items.
	Index struct {
		exprNode
		X         Expr
		Items     []Expr
		Tuple     bool
		ItemsSpan Span // between the brackets, brackets excluded
	}
	// Slice is Lo:Hi:Step inside a subscript; absent parts are nil.
	Slice struct {
		exprNode
		Lo, Hi, Step Expr
	}
	// Tuple is a tuple display, with or without parentheses.
	Tuple struct {
		exprNode
		Elems  []Expr
		Parens bool
	}
	// List is a list display.
	List struct {
		exprNode
		Elems []Expr
	}
	// Set is a set display.
	Set struct {
		exprNode
		Elems []Expr
	}
	// Dict is a dict display; a nil Key means **Value.
	Dict struct {
		exprNode
		Items []DictItem
	}
	// Binary is L Op R for arithmetic and bit operators, Op as written: + - * / // % ** @ & | ^ << >>.
	Binary struct {
		exprNode
		Op   string
		L, R Expr
	}
	// Unary is Op X, Op one of + - ~ not.
	Unary struct {
		exprNode
		Op string
		X  Expr
	}
	// BoolOp is L Op R, Op one of and, or.
	BoolOp struct {
		exprNode
		Op   string
		L, R Expr
	}
	// Compare is a chain First Ops[0] Rest[0] Ops[1] Rest[1] ...; Op one of < <= > >= == != in, not in, is, is not.
	Compare struct {
		exprNode
		First Expr
		Ops   []string
		Rest  []Expr
	}
	// Lambda is lambda Params: Body.
	Lambda struct {
		exprNode
		Params []*Param
		Misfit bool // of the parameters: Python refuses how they are ordered or named
		Body   Expr
		Locals map[string]bool // names bound in the lambda: parameters and walrus targets
	}
	// IfExp is Then if Cond else Else.
	IfExp struct {
		exprNode
		Cond, Then, Else Expr
	}
	// Comp is a comprehension or generator expression. Key is set for a dict comprehension only.
	Comp struct {
		exprNode
		Kind    CompKind
		Key     Expr
		Elt     Expr
		Clauses []CompClause
	}
	// Starred is *X (in a call it is Arg.Star instead).
	Starred struct {
		exprNode
		X Expr
	}
	// Walrus is Target := Value.
	Walrus struct {
		exprNode
		Target *Name
		Value  Expr
	}
	// Await is await X.
	Await struct {
		exprNode
		X Expr
	}
	// Yield is yield X or yield from X; X may be nil.
	Yield struct {
		exprNode
		X    Expr
		From bool
	}
	// UnknownExpr stands for text that could not be read as an expression, or for an expression that is missing (its
	// span is then empty). Parts holds what could be read inside it.
	UnknownExpr struct {
		exprNode
		Parts []Expr
	}
)

// ConstKind says which constant a Const is.
type ConstKind uint8

// The constants of the language.
const (
	ConstNone ConstKind = iota
	ConstTrue
	ConstFalse
	ConstEllipsis
)

// CompKind says which comprehension a Comp is.
type CompKind uint8

// The comprehensions of the language.
const (
	CompList CompKind = iota
	CompSet
	CompDict
	CompGenerator
)

// CompClause is `for Target in Iter` when Iter is set, else `if Cond`.
type CompClause struct {
	Target, Iter Expr
	Async        bool
	Cond         Expr
}

// DictItem is Key: Value, or **Value when Key is nil.
type DictItem struct{ Key, Value Expr }

// Arg is one argument of a call: Value, Name=Value, *Value (Star 1) or **Value (Star 2).
type Arg struct {
	node
	Name     string
	NameSpan Span
	Star     int
	Value    Expr
}

// Param is one parameter. Kind orders as Python does.
type Param struct {
	node
	Name     string
	NameSpan Span
	Kind     ParamKind
	Ann      Expr
	Default  Expr
}

// ParamKind says how a parameter takes arguments.
type ParamKind uint8

// The kinds of parameter.
const (
	PositionalOnly ParamKind = iota // before a /
	Positional                      // by position or keyword
	VarArgs                         // *args
	KeywordOnly                     // after a * or *args
	VarKwargs                       // **kwargs
)

// Statements.
type (
	// ExprStmt is an expression on its own.
	ExprStmt struct {
		stmtNode
		X Expr
	}
	// Assign is Targets[0] = Targets[1] = ... = Value.
	Assign struct {
		stmtNode
		Targets []Expr
		Value   Expr
	}
	// AugAssign is Target Op= Value; Op as in Binary, without the =.
	AugAssign struct {
		stmtNode
		Target Expr
		Op     string
		Value  Expr
	}
	// AnnAssign is Target: Ann = Value; Value may be nil.
	AnnAssign struct {
		stmtNode
		Target Expr
		Ann    Expr
		Value  Expr
	}
	// FuncDef is a function definition; its span starts at the first decorator.
	FuncDef struct {
		stmtNode
		Decorators []Expr // without the @
		Name       string
		NameSpan   Span
		DefSpan    Span // from `def` (or `async`) to the colon
		Params     []*Param
		Misfit     bool // of the parameters: Python refuses how they are ordered or named
		ParamsSpan Span // the parentheses and what is between them
		Returns    Expr
		Body       []Stmt
		Async      bool
		TypeParams []string // the names of [T, *Ts, **P]
		Scope      *Scope
	}
	// ClassDef is a class definition; its span starts at the first decorator.
	ClassDef struct {
		stmtNode
		Decorators []Expr
		Name       string
		NameSpan   Span
		Bases      []Arg // bases and keywords, as in a call
		Body       []Stmt
		TypeParams []string
		Scope      *Scope
	}
	// Return is return X; X may be nil.
	Return struct {
		stmtNode
		X Expr
	}
	// If is if Cond: Then else: Else; elif is an If alone in Else.
	If struct {
		stmtNode
		Cond       Expr
		Then, Else []Stmt
	}
	// For is for Target in Iter: Body else: Else.
	For struct {
		stmtNode
		Target, Iter Expr
		Body, Else   []Stmt
		Async        bool
	}
	// While is while Cond: Body else: Else.
	While struct {
		stmtNode
		Cond       Expr
		Body, Else []Stmt
	}
	// With is with Items: Body.
	With struct {
		stmtNode
		Items []WithItem
		Body  []Stmt
		Async bool
	}
	// Try is try: Body, handlers, else, finally.
	Try struct {
		stmtNode
		Body     []Stmt
		Handlers []Handler
		Else     []Stmt
		Finally  []Stmt
	}
	// Import is import a.b as c, d.
	Import struct {
		stmtNode
		Names []Alias
	}
	// ImportFrom is from ..Module import Names; Level counts the dots; a single Alias "*" is a star import.
	ImportFrom struct {
		stmtNode
		Module     string
		ModuleSpan Span
		Level      int
		Names      []Alias
	}
	// Raise is raise X from Cause; both may be nil.
	Raise struct {
		stmtNode
		X, Cause Expr
	}
	// Assert is assert Cond, Msg; Msg may be nil.
	Assert struct {
		stmtNode
		Cond, Msg Expr
	}
	// Delete is del Targets.
	Delete struct {
		stmtNode
		Targets []Expr
	}
	// Global is global Names (Nonlocal false) or nonlocal Names.
	Global struct {
		stmtNode
		Names    []string
		Nonlocal bool
	}
	// Simple is pass, break or continue.
	Simple struct {
		stmtNode
		Kind SimpleKind
	}
	// Match is match Subject: Cases.
	Match struct {
		stmtNode
		Subject Expr
		Cases   []MatchCase
	}
	// TypeAlias is type Name = Value.
	TypeAlias struct {
		stmtNode
		Name       string
		TypeParams []string
		Value      Expr
	}
	// UnknownStmt stands for text that could not be read as a statement. Body holds what could be made of it, as if
	// it were finished: for a half-typed line the statement that the line may become (where a name is missing, there is
	// an UnknownExpr, or an Attr with an empty Name), for a broken header the headless or repaired statement with its
	// body. It is good for bindings, hover and completion, but it is a guess: report nothing from inside it.
	UnknownStmt struct {
		stmtNode
		Body []Stmt
	}
)

// SimpleKind says which statement a Simple is.
type SimpleKind uint8

// The statements of one word.
const (
	Pass SimpleKind = iota
	Break
	Continue
)

// Alias is one imported name: Name (dotted in an Import) as As; As is empty when absent.
type Alias struct {
	node
	Name string
	As   string
}

// WithItem is Context as Target; Target may be nil.
type WithItem struct{ Context, Target Expr }

// Handler is one except clause; Type may be nil, Name empty.
type Handler struct {
	node
	Type Expr
	Name string
	Body []Stmt
}

// MatchCase is case Pattern if Guard: Body.
type MatchCase struct {
	node
	Pattern Pattern
	Guard   Expr
	Body    []Stmt
}

// Pattern is a match pattern.
type Pattern interface{ Node }

// Patterns.
type (
	// PatternValue compares with a literal or dotted name.
	PatternValue struct {
		node
		X Expr
	}
	// PatternCapture binds Name; an empty Name is the wildcard _.
	PatternCapture struct {
		node
		Name string
	}
	// PatternAs is Pattern as Name.
	PatternAs struct {
		node
		Pattern Pattern
		Name    string
	}
	// PatternOr is any of Alternatives.
	PatternOr struct {
		node
		Alternatives []Pattern
	}
	// PatternSeq is a sequence; an element may be a PatternStar.
	PatternSeq struct {
		node
		Elems []Pattern
	}
	// PatternStar is *Name inside a sequence; an empty Name is *_.
	PatternStar struct {
		node
		Name string
	}
	// PatternClass is Class(Args, Keywords).
	PatternClass struct {
		node
		Class    Expr
		Args     []Pattern
		Keywords []PatternKeyword
	}
	// PatternMapping is {Keys: Values, **Rest}.
	PatternMapping struct {
		node
		Keys   []Expr
		Values []Pattern
		Rest   string
	}
	// PatternUnknown could not be read.
	PatternUnknown struct{ node }
)

// PatternKeyword is Name=Pattern in a class pattern.
type PatternKeyword struct {
	Name    string
	Pattern Pattern
}

// Scope holds the names that a function, class or module body binds, as Python's symbol table does.
type Scope struct {
	Locals   map[string]bool // bound here: parameters, assignments, defs, imports, for/with/except targets, walrus
	Globals  map[string]bool // declared global
	Nonlocal map[string]bool // declared nonlocal
	Yields   bool            // the function is a generator
}
