package parse

// kind is a kind of node of the grammar, among those that the lowering tells apart.
type kind uint8

// The kinds. kOther is a token or a node of no interest.
const (
	kOther kind = iota
	kError
	kComment
	kLineContinuation

	// tokens
	kAsync
	kColon
	kComma
	kDot
	kFrom
	kStar
	kStarStar
	kSemi
	kDash
	kLParen
	kRParen
	kLBracket
	kRBracket
	kUnderscore
	kStringStart
	kStringContent
	kStringEnd

	// statements
	kModule
	kBlock
	kImport
	kImportFrom
	kImportFuture
	kPrint
	kExec
	kAssert
	kExprStmt
	kReturn
	kDelete
	kRaise
	kPass
	kBreak
	kContinue
	kIf
	kElif
	kElse
	kMatch
	kCase
	kFor
	kWhile
	kTry
	kExcept
	kExceptGroup
	kFinally
	kWith
	kWithClause
	kWithItem
	kFuncDef
	kClassDef
	kDecorated
	kDecorator
	kGlobal
	kNonlocal
	kTypeAlias

	// parts of statements
	kAliasedImport
	kWildcardImport
	kRelativeImport
	kImportPrefix
	kDottedName
	kParameters
	kLambdaParameters
	kDefaultParameter
	kTypedParameter
	kTypedDefaultParameter
	kListSplatPattern
	kDictSplatPattern
	kPositionalSeparator
	kKeywordSeparator
	kTypeParameter
	kAsPattern
	kAsPatternTarget

	// expressions
	kIdentifier
	kTrue
	kFalse
	kNone
	kEllipsis
	kInteger
	kFloat
	kString
	kConcatenated
	kInterpolation
	kFormatSpecifier
	kFormatExpression
	kAttribute
	kCall
	kArgumentList
	kKeywordArgument
	kSubscript
	kSlice
	kTuple
	kExprList
	kPatternList
	kTuplePattern
	kList
	kListPattern
	kSet
	kDict
	kPair
	kDictSplat
	kListSplat
	kParenListSplat
	kBinary
	kUnary
	kNot
	kBool
	kCompare
	kLambda
	kIfExp
	kListComp
	kSetComp
	kDictComp
	kGenerator
	kForIn
	kIfClause
	kParen
	kWalrus
	kAwait
	kYield
	kAssignment
	kAugAssignment
	kType
	kSplatType
	kGenericType
	kUnionType
	kConstrainedType
	kMemberType

	// patterns
	kCasePattern
	kUnionPattern
	kDictPattern
	kKeywordPattern
	kSplatPattern
	kClassPattern
	kComplexPattern

	kindCount
)

// tokenKinds maps the grammar's anonymous tokens to kinds.
var tokenKinds = map[string]kind{
	"async": kAsync, ":": kColon, ",": kComma, ".": kDot, "from": kFrom, "*": kStar, "**": kStarStar, ";": kSemi, "-": kDash,
	"(": kLParen, ")": kRParen, "[": kLBracket, "]": kRBracket, "_": kUnderscore,
}

// nodeKinds maps the grammar's named nodes to kinds.
var nodeKinds = map[string]kind{
	"comment": kComment, "line_continuation": kLineContinuation,
	"string_start": kStringStart, "string_content": kStringContent, "string_end": kStringEnd,

	"module": kModule, "block": kBlock, "import_statement": kImport, "import_from_statement": kImportFrom,
	"future_import_statement": kImportFuture, "print_statement": kPrint, "exec_statement": kExec,
	"assert_statement": kAssert, "expression_statement": kExprStmt, "return_statement": kReturn,
	"delete_statement": kDelete, "raise_statement": kRaise, "pass_statement": kPass, "break_statement": kBreak,
	"continue_statement": kContinue, "if_statement": kIf, "elif_clause": kElif, "else_clause": kElse,
	"match_statement": kMatch, "case_clause": kCase, "for_statement": kFor, "while_statement": kWhile,
	"try_statement": kTry, "except_clause": kExcept, "except_group_clause": kExceptGroup, "finally_clause": kFinally,
	"with_statement": kWith, "with_clause": kWithClause, "with_item": kWithItem, "function_definition": kFuncDef,
	"class_definition": kClassDef, "decorated_definition": kDecorated, "decorator": kDecorator,
	"global_statement": kGlobal, "nonlocal_statement": kNonlocal, "type_alias_statement": kTypeAlias,

	"aliased_import": kAliasedImport, "wildcard_import": kWildcardImport, "relative_import": kRelativeImport,
	"import_prefix": kImportPrefix, "dotted_name": kDottedName, "parameters": kParameters,
	"lambda_parameters": kLambdaParameters, "default_parameter": kDefaultParameter, "typed_parameter": kTypedParameter,
	"typed_default_parameter": kTypedDefaultParameter, "list_splat_pattern": kListSplatPattern,
	"dictionary_splat_pattern": kDictSplatPattern, "positional_separator": kPositionalSeparator,
	"keyword_separator": kKeywordSeparator, "type_parameter": kTypeParameter, "as_pattern": kAsPattern,
	"as_pattern_target": kAsPatternTarget,

	"identifier": kIdentifier, "true": kTrue, "false": kFalse, "none": kNone, "ellipsis": kEllipsis,
	"integer": kInteger, "float": kFloat, "string": kString, "concatenated_string": kConcatenated,
	"interpolation": kInterpolation, "format_specifier": kFormatSpecifier, "format_expression": kFormatExpression,
	"attribute": kAttribute, "call": kCall, "argument_list": kArgumentList, "keyword_argument": kKeywordArgument,
	"subscript": kSubscript, "slice": kSlice, "tuple": kTuple, "expression_list": kExprList,
	"pattern_list": kPatternList, "tuple_pattern": kTuplePattern, "list": kList, "list_pattern": kListPattern,
	"set": kSet, "dictionary": kDict, "pair": kPair, "dictionary_splat": kDictSplat, "list_splat": kListSplat,
	"parenthesized_list_splat": kParenListSplat, "binary_operator": kBinary, "unary_operator": kUnary,
	"not_operator": kNot, "boolean_operator": kBool, "comparison_operator": kCompare, "lambda": kLambda,
	"conditional_expression": kIfExp, "list_comprehension": kListComp, "set_comprehension": kSetComp,
	"dictionary_comprehension": kDictComp, "generator_expression": kGenerator, "for_in_clause": kForIn,
	"if_clause": kIfClause, "parenthesized_expression": kParen, "named_expression": kWalrus, "await": kAwait,
	"yield": kYield, "assignment": kAssignment, "augmented_assignment": kAugAssignment, "type": kType,
	"splat_type": kSplatType, "generic_type": kGenericType, "union_type": kUnionType,
	"constrained_type": kConstrainedType, "member_type": kMemberType,

	"case_pattern": kCasePattern, "union_pattern": kUnionPattern, "dict_pattern": kDictPattern,
	"keyword_pattern": kKeywordPattern, "splat_pattern": kSplatPattern, "class_pattern": kClassPattern,
	"complex_pattern": kComplexPattern,
}

// field is a named role of a child, among those that the lowering asks for.
type field uint8

// The fields; fNone is a child without one.
const (
	fNone field = iota
	fAlias
	fAlternative
	fArgument
	fArguments
	fAttribute
	fBody
	fCause
	fCondition
	fConsequence
	fDefinition
	fExpression
	fFormatSpecifier
	fFunction
	fGuard
	fKey
	fLeft
	fModuleName
	fName
	fObject
	fOperator
	fOperators
	fParameters
	fReturnType
	fRight
	fSubject
	fSubscript
	fSuperclasses
	fType
	fTypeParameters
	fValue
)

var fieldByName = map[string]field{
	"alias": fAlias, "alternative": fAlternative, "argument": fArgument, "arguments": fArguments,
	"attribute": fAttribute, "body": fBody, "cause": fCause, "condition": fCondition, "consequence": fConsequence,
	"definition": fDefinition, "expression": fExpression, "format_specifier": fFormatSpecifier, "function": fFunction,
	"guard": fGuard, "key": fKey, "left": fLeft, "module_name": fModuleName, "name": fName, "object": fObject,
	"operator": fOperator, "operators": fOperators, "parameters": fParameters, "return_type": fReturnType,
	"right": fRight, "subject": fSubject, "subscript": fSubscript, "superclasses": fSuperclasses, "type": fType,
	"type_parameters": fTypeParameters, "value": fValue,
}
