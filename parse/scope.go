package parse

// bindScopes fills in the Scope of every function and class and the Locals of every lambda, and returns the names that
// the statements bind in the module.
func bindScopes(stmts []Stmt) *Scope {
	b := binder{scope: newScope()}
	b.stmts(stmts)
	return b.scope
}

func newScope() *Scope { return &Scope{Locals: map[string]bool{}} }

// binder walks one body and collects what it binds.
type binder struct {
	scope *Scope
}

func (b *binder) bind(name string) {
	if name != "" && !b.scope.Globals[name] && !b.scope.Nonlocal[name] {
		b.scope.Locals[name] = true
	}
}

func (b *binder) stmts(stmts []Stmt) {
	for _, s := range stmts {
		b.stmt(s)
	}
}

func (b *binder) stmt(s Stmt) {
	switch s := s.(type) {
	case *ExprStmt:
		b.expr(s.X)
	case *Assign:
		b.expr(s.Value)
		for _, t := range s.Targets {
			b.target(t)
		}
	case *AugAssign:
		b.expr(s.Value)
		b.target(s.Target)
	case *AnnAssign:
		b.expr(s.Ann)
		b.expr(s.Value)
		b.target(s.Target)
	case *FuncDef:
		b.funcDef(s)
	case *ClassDef:
		b.classDef(s)
	case *Return:
		b.expr(s.X)
	case *If:
		b.expr(s.Cond)
		b.stmts(s.Then)
		b.stmts(s.Else)
	case *For:
		b.expr(s.Iter)
		b.target(s.Target)
		b.stmts(s.Body)
		b.stmts(s.Else)
	case *While:
		b.expr(s.Cond)
		b.stmts(s.Body)
		b.stmts(s.Else)
	case *With:
		for _, item := range s.Items {
			b.expr(item.Context)
			b.target(item.Target)
		}
		b.stmts(s.Body)
	case *Try:
		b.try(s)
	case *Import:
		for _, a := range s.Names {
			b.bind(boundName(a))
		}
	case *ImportFrom:
		for _, a := range s.Names {
			if a.Name != "*" {
				b.bind(boundName(a))
			}
		}
	case *Raise:
		b.expr(s.X)
		b.expr(s.Cause)
	case *Assert:
		b.expr(s.Cond)
		b.expr(s.Msg)
	case *Delete:
		for _, t := range s.Targets {
			b.target(t)
		}
	case *Global:
		b.declare(s)
	case *Match:
		b.expr(s.Subject)
		for _, c := range s.Cases {
			b.pattern(c.Pattern)
			b.expr(c.Guard)
			b.stmts(c.Body)
		}
	case *TypeAlias:
		b.bind(s.Name)
	case *UnknownStmt:
		b.stmts(s.Body)
	}
}

func (b *binder) try(s *Try) {
	b.stmts(s.Body)
	for _, h := range s.Handlers {
		b.expr(h.Type)
		b.bind(h.Name)
		b.stmts(h.Body)
	}
	b.stmts(s.Else)
	b.stmts(s.Finally)
}

// declare handles global and nonlocal, which hold for the whole body, also for the lines before them.
func (b *binder) declare(s *Global) {
	set := &b.scope.Globals
	if s.Nonlocal {
		set = &b.scope.Nonlocal
	}
	if *set == nil {
		*set = map[string]bool{}
	}
	for _, name := range s.Names {
		(*set)[name] = true
		delete(b.scope.Locals, name)
	}
}

func (b *binder) funcDef(f *FuncDef) {
	b.exprs(f.Decorators)
	b.params(f.Params)
	b.expr(f.Returns)
	b.bind(f.Name)
	inner := binder{scope: newScope()}
	for _, name := range f.TypeParams {
		inner.bind(name)
	}
	for _, p := range f.Params {
		inner.bind(p.Name)
	}
	inner.stmts(f.Body)
	f.Scope = inner.scope
}

// params walks the defaults and annotations, which belong to the scope around the function.
func (b *binder) params(params []*Param) {
	for _, p := range params {
		b.expr(p.Default)
		b.expr(p.Ann)
	}
}

func (b *binder) classDef(c *ClassDef) {
	b.exprs(c.Decorators)
	b.args(c.Bases)
	b.bind(c.Name)
	inner := binder{scope: newScope()}
	for _, name := range c.TypeParams {
		inner.bind(name)
	}
	inner.stmts(c.Body)
	c.Scope = inner.scope
}

// target binds the names of an assignment target; the rest of it is read.
func (b *binder) target(x Expr) {
	switch x := x.(type) {
	case *Name:
		b.bind(x.ID)
	case *Tuple:
		for _, e := range x.Elems {
			b.target(e)
		}
	case *List:
		for _, e := range x.Elems {
			b.target(e)
		}
	case *Starred:
		b.target(x.X)
	default:
		b.expr(x)
	}
}

func (b *binder) exprs(xs []Expr) {
	for _, x := range xs {
		b.expr(x)
	}
}

func (b *binder) args(args []Arg) {
	for _, a := range args {
		b.expr(a.Value)
	}
}

// expr looks for what binds or marks the scope inside an expression: walrus, yield, lambda.
func (b *binder) expr(x Expr) {
	switch x := x.(type) {
	case nil, *Name, *Const, *Int, *Float:
	case *Walrus:
		b.bind(x.Target.ID)
		b.expr(x.Value)
	case *Yield:
		b.scope.Yields = true
		b.expr(x.X)
	case *Lambda:
		b.lambda(x)
	case *Comp:
		b.comp(x)
	case *Call:
		b.expr(x.Func)
		b.args(x.Args)
	case *Attr:
		b.expr(x.X)
	case *Index:
		b.expr(x.X)
		b.exprs(x.Items)
	case *Tuple:
		b.exprs(x.Elems)
	case *List:
		b.exprs(x.Elems)
	case *Binary:
		b.expr(x.L)
		b.expr(x.R)
	case *Str:
		b.exprs(x.Parts)
	default:
		for _, c := range children(x) {
			if e, ok := c.(Expr); ok {
				b.expr(e)
			}
		}
	}
}

func (b *binder) lambda(x *Lambda) {
	b.params(x.Params)
	inner := binder{scope: newScope()}
	for _, p := range x.Params {
		inner.bind(p.Name)
	}
	inner.expr(x.Body)
	x.Locals = inner.scope.Locals
}

// comp walks a comprehension. Its targets are its own and bind nothing here; a walrus inside does.
func (b *binder) comp(x *Comp) {
	b.expr(x.Key)
	b.expr(x.Elt)
	for _, c := range x.Clauses {
		b.expr(c.Iter)
		b.expr(c.Cond)
		if _, plain := c.Target.(*Name); !plain {
			b.expr(c.Target)
		}
	}
}

func (b *binder) pattern(p Pattern) {
	switch p := p.(type) {
	case *PatternValue:
		b.expr(p.X)
	case *PatternCapture:
		b.bind(p.Name)
	case *PatternAs:
		b.pattern(p.Pattern)
		b.bind(p.Name)
	case *PatternOr:
		b.patterns(p.Alternatives)
	case *PatternSeq:
		b.patterns(p.Elems)
	case *PatternStar:
		b.bind(p.Name)
	case *PatternClass:
		b.patterns(p.Args)
		for _, k := range p.Keywords {
			b.pattern(k.Pattern)
		}
	case *PatternMapping:
		b.patterns(p.Values)
		b.bind(p.Rest)
	}
}

func (b *binder) patterns(ps []Pattern) {
	for _, p := range ps {
		b.pattern(p)
	}
}
