/*
 * The expressions of a kernel contract, v1.
 *
 * A contract is a YAML file; this grammar describes the text of its scalars. The key of a scalar chooses one of five entry
 * rules:
 *
 *   requirementEntry   require, clauses, claims     p99(logit_osc) <= 0.25 nat over 10 min with confidence 99%
 *   predicateEntry     a slice's `when`             task == "math" and prompt_tokens >= 8192
 *   triggerEntry       a rule's `when` and `until`  violated(worst_drift) for 2 windows
 *   callEntry          actions, directives,         route(safe, probe=1%)
 *                      corrections
 *   quantityEntry      weights, windows, loads      200_000 per s
 *
 * The grammar defines form only. The type checker decides which names, units, arguments and levels go together, and the
 * reader checks the form of a number (see NUMBER); both can then report what is wrong and how to fix it.
 *
 * One token of lookahead suffices, except for named arguments, which take two.
 */
grammar Tikc;

requirementEntry : whole=requirement EOF ;
predicateEntry   : whole=predicate EOF ;
triggerEntry     : whole=trigger EOF ;
callEntry        : whole=term EOF ;
quantityEntry    : whole=quantity EOF ;

// ---- Requirements: what is measured, its bound, and where and on how much it is judged ----

requirement : parts+=comparison ( AND parts+=comparison )* ;

comparison : subject=term ( relation=comparator bound=quantity | IN within=range ) tails+=tail* ;

// Both ends belong to the range.
range : LBRACKET low=quantity COMMA high=quantity RBRACKET ;

// Tails come in any order, each at most once.
//   on slices       every slice by itself: the default, spelled out
//   on all          the mixture of all slices
//   on math, code   these slices, each by itself
//   over …          the window that is judged: a time, or a number of tokens, sequences, requests, steps or windows
//   with confidence … confidence limits decide rather than the point value
tail
    : ON ( all=ALL | each=SLICES | names+=NAME ( COMMA names+=NAME )* )
    | OVER window=quantity
    | WITH CONFIDENCE level=quantity
    ;

// `!=` is read everywhere, so that a requirement can say why it is not allowed there.
comparator : LE | LT | GE | GT | EQ | NE ;

// ---- Terms: a metric, an aggregate, an action, a state ----

term : name=NAME ( LPAREN ( list+=argument ( COMMA list+=argument )* )? RPAREN )? ;

// An argument may be a condition: rate(abs(logprob_gap) > 0.5).
argument : keyword=NAME ASSIGN value=predicate | value=predicate ;

// ---- Predicates: which requests a slice takes ----

// `not` binds closest, then `and`, then `or`.
predicate   : parts+=conjunction ( OR parts+=conjunction )* ;
conjunction : parts+=negation ( AND parts+=negation )* ;
negation    : NOT inner=negation | LPAREN group=predicate RPAREN | single=condition ;

// An operand without a comparison is allowed as an argument only.
condition : left=operand ( relation=comparator right=operand | IN members=set )? ;

operand : call=term | number=quantity | text=STRING ;

set    : LBRACE list+=member ( COMMA list+=member )* RBRACE ;
member : text=STRING | name=NAME | number=quantity ;

// ---- Triggers: verdicts that start and end an escalation rule ----

trigger          : parts+=stateConjunction ( OR parts+=stateConjunction )* ;
stateConjunction : parts+=stateNegation ( AND parts+=stateNegation )* ;
stateNegation    : NOT inner=stateNegation | LPAREN group=trigger RPAREN | single=state ;

// `for` counts consecutive windows.
state : name=NAME LPAREN list+=argument ( COMMA list+=argument )* RPAREN ( FOR count=quantity )? ;

// ---- Quantities: a number with its unit; `per` makes a rate ----

// Any name is read as a unit, so that an unknown one can be reported with the nearest known one. `min` after a number is the unit,
// anywhere else the aggregate.
quantity : sign=MINUS? number=NUMBER unit=( NAME | PERCENT )? ( PER per=NAME )? ;

// ---- Words. They are reserved: no metric, slice, clause, kernel or label has such a name. ----

AND        : 'and' ;
OR         : 'or' ;
NOT        : 'not' ;
IN         : 'in' ;
ON         : 'on' ;
OVER       : 'over' ;
WITH       : 'with' ;
CONFIDENCE : 'confidence' ;
PER        : 'per' ;
FOR        : 'for' ;
ALL        : 'all' ;
SLICES     : 'slices' ;

// ---- Signs ----

LE       : '<=' ;
LT       : '<' ;
GE       : '>=' ;
GT       : '>' ;
EQ       : '==' ;
NE       : '!=' ;
ASSIGN   : '=' ;
LPAREN   : '(' ;
RPAREN   : ')' ;
LBRACKET : '[' ;
RBRACKET : ']' ;
LBRACE   : '{' ;
RBRACE   : '}' ;
COMMA    : ',' ;
PERCENT  : '%' ;
MINUS    : '-' ;

// ---- Literals and names ----

// Read liberally; the reader then asks for digits, with `_` between groups of three before the point and nowhere else, a digit on
// both sides of the point, and an optional exponent: 0.25, 50_000, 2e-3.
NUMBER : '.'? [0-9] [0-9_.]* ( [eE] [+-]? [0-9] [0-9_]* )? ;

NAME : [A-Za-z_] [A-Za-z0-9_]* ;

// The escapes are \" \' \\ \n and \t; any other is reported.
STRING : '"' ( ~["\\] | '\\' . )* '"' | '\'' ( ~['\\] | '\\' . )* '\'' ;

SPACE : [ \t\r\n]+ -> skip ;

// ---- What is never right, read so that the report can name it. The lexer accepts every text. ----

UNCLOSED : '"' ( ~["\\] | '\\' . )* '\\'? | '\'' ( ~['\\] | '\\' . )* '\\'? ;
MISSPELT : '=<' | '=>' | '<>' | '===' | '!==' | '&&' | '||' | '!' ;
UNKNOWN  : . ;
