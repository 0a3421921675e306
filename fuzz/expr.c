/* expr.c - integer expressions of contracts (doc/CASE.md, "Expressions"): a recursive-descent evaluator. C's grammar and
 * precedence in 64 bits, where what C leaves undefined is an error. */
#include "case.h"
#include "number.h"
#include <stdarg.h>
#include <string.h>

#define MAX_DEPTH 64 /* nesting; the text may come from a command line */

typedef struct Expr {
  const char *at;
  const WfVars *vars;
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

static int conditional(Expr *e, int64_t *out);

/* a OP b, the operator by its character: '=' is ==, '!' is !=, 'l' is <=, 'g' is >=. */
static int apply(Expr *e, char op, int64_t a, int64_t b, int64_t *out) {
  int overflow = 0;
  *out = 0;
  if (e->dead)
    return 0;
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

static int is_word(const char *s, size_t n, const char *word) { return strlen(word) == n && memcmp(s, word, n) == 0; }

/* Value of a name; 0, or -1: no such name. */
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

static int number(Expr *e, size_t n, int64_t *out) {
  uint64_t v;
  int r = wf_number_u64(e->at, n, &v);
  if (r == WF_NUMBER_SYNTAX)
    return fail(e, "'%.*s' is not a number", (int)(n > 40 ? 40 : n), e->at);
  if (r == WF_NUMBER_RANGE || v > INT64_MAX)
    return fail(e, "'%.*s' is too large", (int)(n > 40 ? 40 : n), e->at);
  *out = (int64_t)v;
  e->at += n;
  return 0;
}

static int min_or_max(Expr *e, char op, int64_t *out) {
  int64_t a, b;
  if (expect(e, "(") || conditional(e, &a) || expect(e, ",") || conditional(e, &b) || expect(e, ")"))
    return -1;
  return apply(e, op, a, b, out);
}

static int primary(Expr *e, int64_t *out) {
  if (take(e, "("))
    return conditional(e, out) || expect(e, ")") ? -1 : 0;
  size_t n = name_length(e->at);
  if (n == 0)
    return *e->at ? fail(e, "unexpected '%c'", *e->at >= ' ' && *e->at < 127 ? *e->at : '?')
                  : fail(e, "the expression ends where a value should follow");
  if (*e->at >= '0' && *e->at <= '9')
    return number(e, n, out);
  const char *name = e->at;
  e->at += n;
  if (is_word(name, n, "min") || is_word(name, n, "max"))
    return min_or_max(e, name[1] == 'i' ? 'm' : 'M', out);
  if (look_up(e->vars, name, n, out))
    return fail(e, "unknown name '%.*s'", (int)(n > 40 ? 40 : n), name);
  return 0;
}

static int unary(Expr *e, int64_t *out) {
  if (++e->depth > MAX_DEPTH)
    return fail(e, "nested too deeply");
  int r, minus = 0, not = 0;
  if ((minus = take(e, "-")) || (not = take(e, "!")) || take(e, "+"))
    r = unary(e, out);
  else
    r = primary(e, out);
  if (r == 0 && minus)
    r = apply(e, '-', 0, *out, out);
  if (r == 0 && not)
    *out = !*out;
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

static int binary(Expr *e, int level, int64_t *out) {
  if (level == 4)
    return unary(e, out);
  if (binary(e, level + 1, out))
    return -1;
  for (char op; (op = take_operator(e, level)) != 0;) {
    int64_t right;
    if (binary(e, level + 1, &right) || apply(e, op, *out, right, out))
      return -1;
  }
  return 0;
}

/* && and ||: the right side is dead once the left one decides. */
static int conjunction(Expr *e, int64_t *out) {
  if (binary(e, 0, out))
    return -1;
  while (take(e, "&&")) {
    int64_t right, decided = *out == 0;
    e->dead += (int)decided;
    if (binary(e, 0, &right))
      return -1;
    e->dead -= (int)decided;
    *out = !decided && right != 0;
  }
  return 0;
}

static int disjunction(Expr *e, int64_t *out) {
  if (conjunction(e, out))
    return -1;
  while (take(e, "||")) {
    int64_t right, decided = *out != 0;
    e->dead += (int)decided;
    if (conjunction(e, &right))
      return -1;
    e->dead -= (int)decided;
    *out = decided || right != 0;
  }
  return 0;
}

static int conditional(Expr *e, int64_t *out) {
  if (++e->depth > MAX_DEPTH)
    return fail(e, "nested too deeply");
  if (disjunction(e, out))
    return -1;
  if (take(e, "?")) {
    int64_t yes, no, truth = *out != 0;
    e->dead += !truth;
    if (conditional(e, &yes) || expect(e, ":"))
      return -1;
    e->dead += truth ? 1 : -1;
    if (conditional(e, &no))
      return -1;
    e->dead -= (int)truth;
    *out = truth ? yes : no;
  }
  e->depth--;
  return 0;
}

int wf_expr_eval(const char *text, const WfVars *vars, int64_t *out, char *err, size_t err_size) {
  char unused[8];
  Expr e = {text, vars, 0, 0, err ? err : unused, err ? err_size : sizeof unused};
  int64_t v;
  if (conditional(&e, &v))
    return -1;
  skip_blanks(&e);
  if (*e.at)
    return fail(&e, "unexpected '%.*s'", (int)(strlen(e.at) > 40 ? 40 : strlen(e.at)), e.at);
  *out = v;
  return 0;
}
