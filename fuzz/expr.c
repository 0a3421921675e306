/* expr.c - expressions of contracts (doc/CASE.md, "Expressions"): a recursive-descent evaluator. C's grammar and precedence, integers of
 * 64 bits, where what C leaves undefined is an error. Where scalars are in scope there are real numbers too: doubles, but that numbers
 * as written, and what a scalar is compared with, are rounded to floats, which is what a kernel gets. */
#include "case.h"
#include "number.h"
#include <math.h>
#include <stdarg.h>
#include <string.h>

#define MAX_DEPTH 64 /* nesting; the text may come from a command line */

typedef struct Value {
  int is_real;
  int64_t i;
  double d;   /* of a real one */
  int scalar; /* 1 + index of the scalar that this is, and no more than it; 0: something else */
} Value;

typedef struct Expr {
  const char *at;
  const WfVars *vars;
  const double *scalars; /* NULL: none are in scope */
  WfCompared *compared;  /* NULL: nobody wants to know */
  int depth;
  int dead; /* > 0: within the arm of && || ?: that C does not evaluate: syntax counts, values and their errors do not */
  char *err;
  size_t err_size;
} Expr;

__attribute__((format(printf, 2, 3))) static int fail(Expr *e, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(e->err, e->err_size, format, args);
  va_end(args);
  return -1;
}

static void skip_blanks(Expr *e) { e->at += strspn(e->at, " \t"); }

/* Takes the operator if it comes next, and is not the start of a longer one. */
static int take(Expr *e, const char *op) {
  skip_blanks(e);
  size_t n = strlen(op);
  if (strncmp(e->at, op, n) != 0)
    return 0;
  if (n == 1 && strchr("<>!=", op[0]) && e->at[1] == '=')
    return 0;
  e->at += n;
  return 1;
}

static int is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

static size_t name_length(const char *s) {
  size_t n = 0;
  while (is_name_char(s[n]))
    n++;
  return n;
}

static int expect(Expr *e, const char *op) {
  if (take(e, op))
    return 0;
  size_t n = name_length(e->at);
  if (*e->at == 0)
    return fail(e, "'%s' is missing at the end", op);
  return fail(e, "'%s' is missing before '%.*s'", op, (int)(n > 40 ? 40 : n ? n : 1), e->at);
}

static int conditional(Expr *e, Value *out);

static Value integer(int64_t i) { return (Value){.i = i}; }
static Value real(double d) { return (Value){.is_real = 1, .d = d}; }
static double real_of(const Value *v) { return v->is_real ? v->d : (double)v->i; }
static int is_true(const Value *v) { return v->is_real ? v->d != 0 : v->i != 0; }

/* ---- operators ---- */

static void note_compared(Expr *e, int scalar, double with) {
  WfCompared *c = e->compared;
  if (c && c->n < WF_MAX_COMPARED)
    c->at[c->n++] = (struct WfComparedWith){scalar - 1, with};
}

/* Of which one at least is a real number. */
static int apply_real(Expr *e, char op, const Value *a, const Value *b, Value *out) {
  double x = real_of(a), y = real_of(b);
  if (strchr("<>lg=!", op)) {
    x = b->scalar ? (double)(float)x : x;
    y = a->scalar ? (double)(float)y : y;
    if (a->scalar)
      note_compared(e, a->scalar, y);
    if (b->scalar)
      note_compared(e, b->scalar, x);
  }
  switch (op) {
  case '+': *out = real(x + y); break;
  case '-': *out = real(x - y); break;
  case '*': *out = real(x * y); break;
  case '/': *out = real(x / y); break;
  case '%': return fail(e, "%% takes whole numbers");
  case '<': *out = integer(x < y); break;
  case '>': *out = integer(x > y); break;
  case 'l': *out = integer(x <= y); break;
  case 'g': *out = integer(x >= y); break;
  case '=': *out = integer(x == y); break;
  case '!': *out = integer(x != y); break;
  case 'm': *out = real(x < y ? x : y); break;
  case 'M': *out = real(x > y ? x : y); break;
  }
  return 0;
}

/* a OP b of integers, the operator by its character: '=' is ==, '!' is !=, 'l' is <=, 'g' is >=. */
static int apply_whole(Expr *e, char op, int64_t a, int64_t b, int64_t *out) {
  int overflow = 0;
  *out = 0;
  if ((op == '/' || op == '%') && b == 0)
    return fail(e, "division by zero");
  switch (op) {
  case '+': overflow = __builtin_add_overflow(a, b, out); break;
  case '-': overflow = __builtin_sub_overflow(a, b, out); break;
  case '*': overflow = __builtin_mul_overflow(a, b, out); break;
  case '/':
  case '%':
    overflow = a == INT64_MIN && b == -1;
    if (!overflow)
      *out = op == '/' ? a / b : a % b;
    break;
  case '<': *out = a < b; break;
  case '>': *out = a > b; break;
  case 'l': *out = a <= b; break;
  case 'g': *out = a >= b; break;
  case '=': *out = a == b; break;
  case '!': *out = a != b; break;
  case 'm': *out = a < b ? a : b; break;
  case 'M': *out = a > b ? a : b; break;
  }
  return overflow ? fail(e, "overflow of 64 bits") : 0;
}

static int apply(Expr *e, char op, const Value *a, const Value *b, Value *out) {
  const Value left = *a, right = *b; /* out may be one of them */
  *out = integer(0);
  if (e->dead)
    return 0;
  return left.is_real || right.is_real ? apply_real(e, op, &left, &right, out) : apply_whole(e, op, left.i, right.i, &out->i);
}

static int is_word(const char *s, size_t n, const char *word) { return strlen(word) == n && memcmp(s, word, n) == 0; }

/* A flag is 0 or 1, an integer. */
static int look_up_scalar(const Expr *e, const char *s, size_t n, Value *out) {
  const WfOp *op = e->vars->op;
  for (int i = 0; e->scalars && i < op->n_scalars; i++) {
    if (!is_word(s, n, op->scalars[i].name))
      continue;
    *out = op->scalars[i].kind == WF_FLAG ? integer(e->scalars[i] != 0) : real((double)(float)e->scalars[i]);
    out->scalar = out->is_real ? i + 1 : 0;
    return 0;
  }
  return -1;
}

/* Value of another name; 0, or -1: no such name. */
static int look_up(const WfVars *v, const char *s, size_t n, int64_t *out) {
  for (int i = 0; i < v->op->n_dims; i++)
    if (is_word(s, n, v->op->dims[i].name)) {
      *out = v->dim[i];
      return 0;
    }
  for (int axis = 0; axis < 3; axis++) {
    char block[] = "block.x", grid[] = "grid.x";
    block[6] = grid[5] = (char)('x' + axis);
    if (is_word(s, n, block) || is_word(s, n, grid)) {
      *out = (int64_t)(s[0] == 'b' ? v->block : v->grid)[axis];
      return 0;
    }
  }
  int is_b = v->b && is_word(s, n, "b");
  *out = is_b ? *v->b : v->align;
  return is_b || is_word(s, n, "align") ? 0 : -1;
}

/* Length of the real number at s, its f included: digits with a point, an exponent or an f; 0: there is none. */
static size_t real_length(const char *s) {
  static const char digits[] = "0123456789";
  size_t whole = strspn(s, digits), n = whole, fraction = 0;
  if (s[n] == '.') {
    fraction = strspn(s + n + 1, digits);
    n += 1 + fraction;
  }
  if (whole + fraction == 0)
    return 0;
  if (s[n] == 'e' || s[n] == 'E') {
    size_t sign = s[n + 1] == '-' || s[n + 1] == '+', exponent = strspn(s + n + 1 + sign, digits);
    n += exponent ? 1 + sign + exponent : 0;
  }
  n += s[n] == 'f' || s[n] == 'F';
  return n > whole && !is_name_char(s[n]) ? n : 0;
}

static int real_number(Expr *e, size_t n, Value *out) {
  float v;
  size_t digits = n - (e->at[n - 1] == 'f' || e->at[n - 1] == 'F');
  if (wf_number_float(e->at, digits, &v) != 0)
    return fail(e, "'%.*s' is no float", (int)(n > 40 ? 40 : n), e->at);
  *out = real((double)v);
  e->at += n;
  return 0;
}

static int number(Expr *e, size_t n, Value *out) {
  uint64_t v;
  size_t as_real = e->scalars ? real_length(e->at) : 0;
  if (as_real)
    return real_number(e, as_real, out);
  int r = wf_number_u64(e->at, n, &v);
  if (r == WF_NUMBER_SYNTAX)
    return fail(e, "'%.*s' is not a number", (int)(n > 40 ? 40 : n), e->at);
  if (r == WF_NUMBER_RANGE || v > INT64_MAX)
    return fail(e, "'%.*s' is too large", (int)(n > 40 ? 40 : n), e->at);
  *out = integer((int64_t)v);
  e->at += n;
  return 0;
}

static int min_or_max(Expr *e, char op, Value *out) {
  Value a, b;
  if (expect(e, "(") || conditional(e, &a) || expect(e, ",") || conditional(e, &b) || expect(e, ")"))
    return -1;
  return apply(e, op, &a, &b, out);
}

/* sqrt and rsqrt, with or without an f. 1: the name is one of these. */
static int is_root(const Expr *e, const char *s, size_t n) {
  return e->scalars && (is_word(s, n, "sqrt") || is_word(s, n, "sqrtf") || is_word(s, n, "rsqrt") || is_word(s, n, "rsqrtf"));
}

static int root(Expr *e, int is_inverse, Value *out) {
  if (expect(e, "(") || conditional(e, out) || expect(e, ")"))
    return -1;
  double v = sqrt(real_of(out));
  *out = real(is_inverse ? 1 / v : v);
  return 0;
}

static int primary(Expr *e, Value *out) {
  if (take(e, "("))
    return conditional(e, out) || expect(e, ")") ? -1 : 0;
  size_t n = name_length(e->at);
  if (n == 0)
    return *e->at ? fail(e, "unexpected '%c'", *e->at >= ' ' && *e->at < 127 ? *e->at : '?')
                  : fail(e, "the expression ends where a value should follow");
  if ((*e->at >= '0' && *e->at <= '9') || *e->at == '.')
    return number(e, n, out);
  const char *name = e->at;
  e->at += n;
  if (is_word(name, n, "min") || is_word(name, n, "max"))
    return min_or_max(e, name[1] == 'i' ? 'm' : 'M', out);
  if (is_root(e, name, n))
    return root(e, name[0] == 'r', out);
  if (look_up_scalar(e, name, n, out) == 0)
    return 0;
  *out = integer(0);
  if (look_up(e->vars, name, n, &out->i))
    return fail(e, "unknown name '%.*s'", (int)(n > 40 ? 40 : n), name);
  return 0;
}

static int unary(Expr *e, Value *out) {
  if (++e->depth > MAX_DEPTH)
    return fail(e, "nested too deeply");
  const Value zero = integer(0);
  int r, minus = 0, not = 0;
  if ((minus = take(e, "-")) || (not = take(e, "!")) || take(e, "+"))
    r = unary(e, out);
  else
    r = primary(e, out);
  if (r == 0 && minus)
    r = apply(e, '-', &zero, out, out);
  if (r == 0 && not)
    *out = integer(!is_true(out));
  e->depth--;
  return r;
}

/* Binary operators by precedence, loosest first; each entry: text, code. */
typedef struct Operator {
  const char *text;
  char code;
} Operator;
static const Operator operators[4][5] = {
    {{"==", '='}, {"!=", '!'}},
    {{"<=", 'l'}, {">=", 'g'}, {"<", '<'}, {">", '>'}},
    {{"+", '+'}, {"-", '-'}},
    {{"*", '*'}, {"/", '/'}, {"%", '%'}},
};

static char take_operator(Expr *e, int level) {
  for (const Operator *o = operators[level]; o->text; o++)
    if (take(e, o->text))
      return o->code;
  return 0;
}

static int binary(Expr *e, int level, Value *out) {
  if (level == 4)
    return unary(e, out);
  if (binary(e, level + 1, out))
    return -1;
  for (char op; (op = take_operator(e, level)) != 0;) {
    Value right;
    if (binary(e, level + 1, &right) || apply(e, op, out, &right, out))
      return -1;
  }
  return 0;
}

/* && and ||: the right side is dead once the left one decides. */
static int conjunction(Expr *e, Value *out) {
  if (binary(e, 0, out))
    return -1;
  while (take(e, "&&")) {
    int decided = !is_true(out);
    Value right;
    e->dead += decided;
    if (binary(e, 0, &right))
      return -1;
    e->dead -= decided;
    *out = integer(!decided && is_true(&right));
  }
  return 0;
}

static int disjunction(Expr *e, Value *out) {
  if (conjunction(e, out))
    return -1;
  while (take(e, "||")) {
    int decided = is_true(out);
    Value right;
    e->dead += decided;
    if (conjunction(e, &right))
      return -1;
    e->dead -= decided;
    *out = integer(decided || is_true(&right));
  }
  return 0;
}

static int conditional(Expr *e, Value *out) {
  if (++e->depth > MAX_DEPTH)
    return fail(e, "nested too deeply");
  if (disjunction(e, out))
    return -1;
  if (take(e, "?")) {
    Value yes, no;
    int truth = is_true(out);
    e->dead += !truth;
    if (conditional(e, &yes) || expect(e, ":"))
      return -1;
    e->dead += truth ? 1 : -1;
    if (conditional(e, &no))
      return -1;
    e->dead -= truth;
    *out = truth ? yes : no;
  }
  e->depth--;
  return 0;
}

int wf_expr_eval_scalars(const char *text, const WfVars *vars, const double *scalars, WfCompared *compared, int64_t *out, char *err,
                         size_t err_size) {
  char unused[8];
  Expr e = {.at = text, .vars = vars, .scalars = scalars, .compared = compared, .err = err ? err : unused,
            .err_size = err ? err_size : sizeof unused};
  Value v;
  if (compared)
    compared->n = 0;
  if (conditional(&e, &v))
    return -1;
  skip_blanks(&e);
  if (*e.at)
    return fail(&e, "unexpected '%.*s'", (int)(strlen(e.at) > 40 ? 40 : strlen(e.at)), e.at);
  *out = v.is_real ? v.d != 0 : v.i;
  return 0;
}

int wf_expr_eval(const char *text, const WfVars *vars, int64_t *out, char *err, size_t err_size) {
  return wf_expr_eval_scalars(text, vars, NULL, NULL, out, err, err_size);
}
