/* check_contract.c - the contract of a user's kernel: from the options, and from what the launch statement says by itself. */
#include "check_plan.h"
#include "launch_text.h"
#include "limits.h"
#include "number.h"
#include "owns.h"
#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 3, 4))) static int fail(char *err, size_t err_size, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(err, err_size, format, args);
  va_end(args);
  return -1;
}

/* ---- expressions, tried out on a shape ---- */

/* The value under dims that are large, or small, and blocks of 64 threads. 0 or -1 with a message. */
static int value_of(const WfOp *op, const char *text, int large, const double *scalars, int64_t *out, char *why, size_t why_size) {
  static const uint32_t grid[3] = {3, 1, 1}, block[3] = {64, 1, 1};
  int64_t dim[WF_MAX_DIMS];
  for (int i = 0; i < op->n_dims; i++) {
    int64_t least = op->dims[i].min > 1 ? op->dims[i].min : 1;
    dim[i] = large ? op->dims[i].fuzz_max + 7 * i : least + i;
  }
  const WfVars vars = {.op = op, .dim = dim, .grid = grid, .block = block};
  return wf_expr_eval_scalars(text, &vars, scalars, NULL, out, why, why_size);
}

/* A condition, in which scalars have a place. It need not have a value for every shape either. */
static int is_condition(const WfOp *op, const char *text, char *why, size_t why_size) {
  double scalars[WF_MAX_SCALARS] = {0};
  int64_t unused;
  for (int i = 0; i < op->n_scalars; i++)
    scalars[i] = op->scalars[i].kind == WF_FLAG ? 0 : op->scalars[i].usual[0];
  return value_of(op, text, 0, scalars, &unused, why, why_size) == 0 || value_of(op, text, 1, scalars, &unused, why, why_size) == 0;
}

/* An expression need not have a value for every shape: k - 1 may divide. */
static int is_expression(const WfOp *op, const char *text, char *why, size_t why_size) {
  int64_t unused;
  return value_of(op, text, 0, NULL, &unused, why, why_size) == 0 || value_of(op, text, 1, NULL, &unused, why, why_size) == 0;
}

static int is_constant(const WfOp *op, const char *text, int64_t *out) {
  int64_t other;
  return value_of(op, text, 0, NULL, out, NULL, 0) == 0 && value_of(op, text, 1, NULL, &other, NULL, 0) == 0 && *out == other;
}

/* ---- options with up to three axes: "8..32 x 8" ---- */

/* " x ", or the x of "16x16"; that of "0x10" is none. */
static int is_separator(const char *s, const char *at) {
  if (*at != 'x' || at == s)
    return 0;
  if (at[-1] == ' ' && at[1] == ' ')
    return 1;
  int is_hex = at[-1] == '0' && (at == s + 1 || !isalnum((unsigned char)at[-2]));
  return isdigit((unsigned char)at[-1]) && isdigit((unsigned char)at[1]) && !is_hex;
}

static const char *axis_end(const char *s) {
  const char *at = s;
  while (*at && !is_separator(s, at))
    at++;
  return at;
}

/* Number of axes, or -1. */
static int split_axes(const char *text, char out[3][WF_CHECK_AXIS]) {
  for (int axis = 0; axis < 3; axis++) {
    const char *end = axis_end(text);
    size_t n = (size_t)(end - text);
    while (n && *text == ' ') {
      text++;
      n--;
    }
    while (n && text[n - 1] == ' ')
      n--;
    if (n == 0 || n >= WF_CHECK_AXIS)
      return -1;
    memcpy(out[axis], text, n);
    out[axis][n] = '\0';
    if (!*end)
      return axis + 1;
    text = end + 1;
  }
  return -1;
}

static void set_block(WfCheckPlan *p, int n) {
  p->v.block = p->block[0];
  p->v.block_y = n > 1 ? p->block[1] : NULL;
  p->v.block_z = n > 2 ? p->block[2] : NULL;
}

static void set_grid(WfCheckPlan *p, int n) {
  p->v.grid = n > 0 ? p->grid[0] : NULL;
  p->v.grid_y = n > 1 ? p->grid[1] : NULL;
  p->v.grid_z = n > 2 ? p->grid[2] : NULL;
}

static int take_block(WfCheckPlan *p, char *err, size_t err_size) {
  int n = split_axes(p->o->block, p->block);
  char why[128];
  WfSpec spec;
  if (n < 0)
    return fail(err, err_size, "--block: SPEC, or SPEC x SPEC x SPEC, not '%.100s'", p->o->block);
  for (int axis = 0; axis < n; axis++) {
    if (wf_spec_parse(p->block[axis], &spec, why, sizeof why) != 0)
      return fail(err, err_size, "--block: %s", why);
    if (spec.min < 1 || spec.max > 1024)
      return fail(err, err_size, "--block: a block has 1 to 1024 threads along an axis, not '%.100s'", p->block[axis]);
  }
  set_block(p, n);
  return 0;
}

/* A set of numbers becomes a condition, since a contract has formulas for grids or nothing. */
static int add_grid_condition(WfCheckPlan *p, const WfSpec *s, char *err, size_t err_size) {
  WfText t = {0};
  if (s->power_of_2)
    return fail(err, err_size, "--grid: no powers of 2 here, but a list of them");
  wf_text_add(&t, "%s%s", p->requires, p->requires[0] ? " && " : "");
  if (s->n_list) {
    for (int i = 0; i < s->n_list; i++)
      wf_text_add(&t, "%sgrid.x == %lld", i ? " || " : "(", (long long)s->list[i]);
    wf_text_add(&t, ")");
  } else {
    wf_text_add(&t, "grid.x >= %lld && grid.x <= %lld", (long long)s->min, (long long)s->max);
  }
  if (s->multiple > 1)
    wf_text_add(&t, " && grid.x %% %lld == 0", (long long)s->multiple);
  char *text = wf_text_take(&t);
  int fits = text && strlen(text) < sizeof p->requires;
  if (fits)
    strcpy(p->requires, text);
  free(text);
  return fits ? 0 : fail(err, err_size, "--grid: too long");
}

static int take_grid(WfCheckPlan *p, char *err, size_t err_size) {
  int n = split_axes(p->o->grid, p->grid);
  char why[128], unused[128];
  WfSpec spec;
  if (n < 0)
    return fail(err, err_size, "--grid: SPEC or EXPR, or EXPR x EXPR x EXPR, not '%.100s'", p->o->grid);
  if (n == 1 && !is_expression(p->op, p->grid[0], why, sizeof why)) {
    if (wf_spec_parse(p->grid[0], &spec, unused, sizeof unused) != 0)
      return fail(err, err_size, "--grid: %s", why);
    set_grid(p, 0);
    return add_grid_condition(p, &spec, err, err_size);
  }
  for (int axis = 0; axis < n; axis++)
    if (!is_expression(p->op, p->grid[axis], why, sizeof why))
      return fail(err, err_size, "--grid: %s", why);
  set_grid(p, n);
  return 0;
}

/* ---- what the statement says itself ---- */

static void own_block(WfCheckPlan *p, const WfLaunchText *t) {
  int n = 0;
  int64_t size = 1, extent = 0;
  for (; n < 3 && t->block[n][0] && is_constant(p->op, t->block[n], &extent) && extent >= 1 && extent <= 1024; n++) {
    size *= extent;
    snprintf(p->block[n], sizeof p->block[n], "%lld", (long long)extent);
  }
  int known = n > 0 && (n == 3 || !t->block[n][0]) && size <= 1024 && t->n_launches == 1;
  if (!known)
    strcpy(p->block[0], "1");
  p->own_geometry |= !known;
  set_block(p, known ? n : 1);
}

static void own_grid(WfCheckPlan *p, const WfLaunchText *t) {
  char why[128];
  int n = 0;
  for (; n < 3 && t->grid[n][0] && is_expression(p->op, t->grid[n], why, sizeof why); n++)
    snprintf(p->grid[n], sizeof p->grid[n], "%s", t->grid[n]);
  int known = n > 0 && (n == 3 || !t->grid[n][0]) && t->n_launches == 1;
  if (!known)
    strcpy(p->grid[0], "1");
  p->own_geometry |= !known;
  set_grid(p, known ? n : 1);
}

static int geometry(WfCheckPlan *p, const WfLaunchText *t, char *err, size_t err_size) {
  const WfOptions *o = p->o;
  if ((o->block && !t->uses_block) || (o->grid && !t->uses_grid) || (o->shared && !t->uses_shared)) {
    const char *name = o->block && !t->uses_block ? "block" : o->grid && !t->uses_grid ? "grid" : "shared";
    return fail(err, err_size, "--%s: the statement of --launch does not use `%s`", name, name);
  }
  if (o->block && take_block(p, err, err_size) != 0)
    return -1;
  if (!t->uses_block)
    own_block(p, t);
  if (o->grid)
    return take_grid(p, err, err_size);
  if (!t->uses_grid)
    own_grid(p, t);
  return 0;
}

/* ---- the op, and the rest ---- */

static void near_ops(char *err, size_t err_size, const char *name) {
  size_t used = (size_t)snprintf(err, err_size, "--op: no op '%.60s':", name);
  for (size_t i = 0; wf_ops[i] && used < err_size; i++)
    used += (size_t)snprintf(err + used, err_size - used, " %s", wf_ops[i]->name);
  if (used < err_size)
    snprintf(err + used, err_size - used, ", or a file NAME.op");
}

static int choose_op(WfCheckPlan *p, char *err, size_t err_size) {
  const char *name = p->o->op;
  size_t n = strlen(name);
  if (n > 3 && strcmp(name + n - 3, ".op") == 0) {
    p->has_spec = 1;
    p->op = &p->spec.op;
    return wf_op_spec_load(&p->spec, name, err, err_size);
  }
  p->op = wf_op_find(name, n);
  if (p->op)
    return 0;
  near_ops(err, err_size, name);
  return -1;
}

static int is_16_bit_input(const WfCheckPlan *p, WfDtype type) {
  for (int t = 0; t < p->op->n_tensors; t++)
    if (p->op->tensors[t].role == WF_IN && p->v.dtype[t] != type)
      return 0;
  return 1;
}

/* What --op says of its tensors, then --dtype. */
static int take_types(WfCheckPlan *p, char *err, size_t err_size) {
  const char *types = p->o->dtype, *arith = p->o->arith;
  char why[160];
  for (int t = 0; t < p->op->n_tensors; t++)
    p->v.dtype[t] = p->op->tensors[t].dtype;
  if (types && wf_dtypes_parse(p->op, types, strlen(types), p->v.dtype, why, sizeof why) != 0)
    return fail(err, err_size, "--dtype: %s", why);
  if (arith && wf_dtype_parse(arith, strlen(arith), &p->v.arith) != 0)
    return fail(err, err_size, "--arith: a type is f32, f16 or bf16, not '%.60s'", arith);
  if (p->v.arith == WF_F32)
    return 0;
  if (!is_16_bit_input(p, p->v.arith))
    return fail(err, err_size, "--arith %s: the inputs must be of %s, too (--dtype)", arith, arith);
  if (!p->op->arith)
    return fail(err, err_size, "--arith: no bound is known for %s in 16 bits: arithmetic is that of float", p->op->name);
  return 0;
}

static void choose_name(WfCheckPlan *p, const char *name) {
  snprintf(p->name, sizeof p->name, "%.40s", *name ? name : "user");
  p->v.name = p->name;
}

/* Which slices a block owns, tried out on a small launch. */
static int take_owns(WfCheckPlan *p, char *err, size_t err_size) {
  const WfGeometry g = {.grid = {3, 1, 1}, .block = {64, 1, 1}};
  WfCase c = {.op = p->op};
  WfOwned owned;
  char why[128];
  for (int i = 0; i < p->op->n_dims; i++)
    c.dim[i] = p->op->dims[i].fuzz_max;
  p->v.owns = p->o->owns;
  p->v.flags |= WF_BLOCKS_INDEPENDENT;
  return wf_owns_eval(p->o->owns, &c, &g, 0, &owned, why, sizeof why) == 0 ? 0 : fail(err, err_size, "--owns: %s", why);
}

/* Adds a part to the condition. In brackets only where it needs them: parts are what drawing of cases goes by. 0 or -1: too long. */
static int require(WfCheckPlan *p, const char *part) {
  size_t used = strlen(p->requires), room = sizeof p->requires - used;
  int bare = !strstr(part, "||") && !strchr(part, '?');
  int n = snprintf(p->requires + used, room, "%s%s%s%s", used ? " && " : "", bare ? "" : "(", part, bare ? "" : ")");
  return n >= 0 && (size_t)n < room ? 0 : -1;
}

/* What a kernel most likely has for a scalar that nobody passes to it: "eps == 1e-5". */
static void likely_value(const WfScalarDesc *s, char out[WF_CHECK_AXIS]) {
  char digits[WF_NUMBER_SIZE];
  const char *value = s->fixed ? s->fixed : s->kind == WF_FLAG ? "0" : wf_number_print_double(digits, s->usual[0]);
  snprintf(out, WF_CHECK_AXIS, "%s == %s", s->name, value);
}

/* A kernel cannot be judged by what it does not see: it keeps to one value. */
static int own_scalars(WfCheckPlan *p, char *err, size_t err_size) {
  for (int i = 0; i < p->op->n_scalars; i++) {
    const WfScalarDesc *s = &p->op->scalars[i];
    if (wf_launch_text_has(p->o->launch, s->name))
      continue;
    p->v.flags |= s->kind == WF_REAL ? WF_OWN_SCALARS : 0;
    if (p->o->requires && wf_launch_text_has(p->o->requires, s->name))
      continue;
    likely_value(s, p->scalar[i]);
    if (require(p, p->scalar[i]) != 0)
      return fail(err, err_size, "--requires: too long");
  }
  return 0;
}

double wf_check_most_finite(void) { return (double)nextafterf(FLT_MAX, 0); }

/* --values, --finite, or what a spec says. Where --masked is given with them, -inf still comes: in softmax, where it is what masks write. */
static int take_values(WfCheckPlan *p, char *err, size_t err_size) {
  const WfOptions *o = p->o;
  if (o->values > 0 && o->finite)
    return fail(err, err_size, "--values: numbers of at most %g are finite: --finite says no more", o->values);
  p->v.values = o->values > 0 ? fmin(o->values, wf_check_most_finite()) : o->finite ? wf_check_most_finite() : 0;
  if (p->has_spec && (p->v.values == 0 || (p->spec.values > 0 && p->spec.values < p->v.values)))
    p->v.values = p->spec.values;
  if (p->v.values > 0 && o->has_masked && !p->has_spec && strcmp(p->op->name, "softmax") == 0)
    p->v.flags |= WF_MINUS_INF;
  return 0;
}

static int take_unzeroed(const WfCheckPlan *p, char *err, size_t err_size) {
  for (int i = 0; i < p->op->n_tensors; i++) {
    const WfTensorDesc *t = &p->op->tensors[i];
    if (p->o->unzeroed && t->role == WF_OUT && t->start == WF_START_NOTHING)
      return fail(err, err_size, "--unzeroed: %s of %s holds nothing before the launch anyway: it is no sum and no maximum", t->name, p->op->name);
  }
  return 0;
}

static int conditions(WfCheckPlan *p, char *err, size_t err_size) {
  const WfOptions *o = p->o;
  char why[128];
  if (o->requires && !is_condition(p->op, o->requires, why, sizeof why))
    return fail(err, err_size, "--requires: %s", why);
  p->v.flags = (o->unzeroed ? WF_UNZEROED : 0) | (o->empty ? WF_EMPTY : 0);
  p->is_aligned = !o->offsets && !(o->requires && wf_launch_text_has(o->requires, "align"));
  if ((p->is_aligned && require(p, "align == 0") != 0) || (o->requires && require(p, o->requires) != 0))
    return fail(err, err_size, "--requires: too long");
  if (own_scalars(p, err, err_size) != 0 || take_values(p, err, err_size) != 0 || take_unzeroed(p, err, err_size) != 0)
    return -1;
  if (o->shared && !is_expression(p->op, o->shared, why, sizeof why))
    return fail(err, err_size, "--shared: %s", why);
  p->v.shared = o->shared;
  p->v.masked = o->masked;
  p->v.flavor = o->fast_math ? WF_FASTMATH : WF_PRECISE;
  return o->owns ? take_owns(p, err, err_size) : 0;
}

/* A campaign without a case would be a failure of warpfuzz's own. */
static int leave_room(WfCheckPlan *p, char *err, size_t err_size) {
  WfLimits limits;
  wf_limits_init(&limits, p->op);
  if (p->o->dims && wf_limits_parse(p->o->dims, &p->op, 1, &limits, err, err_size) != 0) {
    char why[WF_CHECK_MESSAGE];
    snprintf(why, sizeof why, "%.900s", err);
    return fail(err, err_size, "--dims: %s", why);
  }
  if (wf_limits_leave_room(&limits, p->op, &p->v))
    return 0;
  fail(err, err_size, "no case was found that --requires, --block, --grid and --dims admit together");
  return -2;
}

/* What the rewriter would complain about, at a line of a file that the user has never seen. */
static int is_whole(const char *statement) {
  int round = 0, braces = 0;
  const char *open = strstr(statement, "<<<");
  for (const char *s = statement; *s && round >= 0; s++) {
    round += *s == '(' ? 1 : *s == ')' ? -1 : 0;
    braces += *s == '{' ? 1 : *s == '}' ? -1 : 0;
  }
  return round == 0 && braces == 0 && (!open || strstr(open, ">>>"));
}

int wf_check_contract(WfCheckPlan *p, char *err, size_t err_size) {
  WfLaunchText t;
  if (!is_whole(p->o->launch))
    return fail(err, err_size, "--launch: brackets do not match in '%.200s'", p->o->launch);
  wf_launch_text_read(&t, p->o->launch);
  p->v = (WfVariant){.launch = p->o->launch};
  choose_name(p, t.name);
  if (choose_op(p, err, err_size) != 0 || take_types(p, err, err_size) != 0 || conditions(p, err, err_size) != 0 || geometry(p, &t, err, err_size) != 0)
    return -1;
  p->v.requires = p->requires[0] ? p->requires : NULL;
  return leave_room(p, err, err_size);
}
