/* op_spec.c - reads an op of the user's own. A line at a time; words in place, ended by the reader. */
#define _POSIX_C_SOURCE 200809L
#include "op_spec.h"
#include "case.h"
#include "number.h"
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SPEC_BYTES = 1 << 16, MAX_MESSAGE = 256 };

typedef struct Reader {
  WfOpSpec *s;
  const char *path;
  char why[MAX_MESSAGE];
  const char *c_name; /* as in the file */
} Reader;

__attribute__((format(printf, 2, 3))) static int bad(Reader *r, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(r->why, sizeof r->why, format, args);
  va_end(args);
  return -1;
}

static char *skip_blanks(char *s) { return s + strspn(s, " \t"); }

/* The next word of *s, ended; "": there is none. */
static char *take_word(char **s) {
  char *word = skip_blanks(*s), *end = word + strcspn(word, " \t");
  *s = *end ? skip_blanks(end + 1) : end;
  *end = '\0';
  return word;
}

static int is_identifier(const char *s) {
  if (!isalpha((unsigned char)*s) && *s != '_')
    return 0;
  for (; *s; s++)
    if (!isalnum((unsigned char)*s) && *s != '_')
      return 0;
  return 1;
}

static int find_dim(const WfOp *op, const char *name) {
  for (int i = 0; i < op->n_dims; i++)
    if (strcmp(op->dims[i].name, name) == 0)
      return i;
  return -1;
}

static int is_taken(const WfOp *op, const char *name) {
  static const char *const scope[] = {"grid", "block", "shared", "scratch", "stream", "op", "variant", "expect", "schedule", "align"};
  for (size_t i = 0; i < sizeof scope / sizeof *scope; i++)
    if (strcmp(scope[i], name) == 0)
      return 1;
  for (int i = 0; i < op->n_tensors; i++)
    if (strcmp(op->tensors[i].name, name) == 0)
      return 1;
  for (int i = 0; i < op->n_scalars; i++)
    if (strcmp(op->scalars[i].name, name) == 0)
      return 1;
  return find_dim(op, name) >= 0;
}

static int check_name(Reader *r, const char *name) {
  if (!is_identifier(name))
    return bad(r, "a name is missing, or is none, at '%.40s'", name);
  return is_taken(&r->s->op, name) ? bad(r, "the name '%.40s' is taken", name) : 0;
}

/* ---- lines ---- */

static int take_name(Reader *r, char *rest) {
  char *name = take_word(&rest);
  if (r->s->op.name)
    return bad(r, "a second name");
  if (!is_identifier(name) || *rest)
    return bad(r, "name takes one identifier");
  r->s->op.name = name;
  return 0;
}

static int take_dim(Reader *r, char *rest) {
  WfOp *op = &r->s->op;
  char *name = take_word(&rest), why[128];
  WfSpec range;
  if (op->n_dims == WF_MAX_DIMS)
    return bad(r, "an op has at most %d dims", WF_MAX_DIMS);
  if (check_name(r, name) != 0)
    return -1;
  if (wf_spec_parse(rest, &range, why, sizeof why) != 0)
    return bad(r, "%s", why);
  if (range.min < 1 || range.n_list || range.multiple != 1 || range.power_of_2)
    return bad(r, "a dim has a range such as 1..1000 (requires says more)");
  op->dims[op->n_dims++] = (WfDimDesc){name, range.min, range.max};
  return 0;
}

/* "n", "1", "a-b+1" or "a*b". */
static int take_extent(Reader *r, char *text, int *out) {
  WfOp *op = &r->s->op;
  char *operator = text + strcspn(text, "-*"), kind = *operator;
  *out = WF_ONE;
  if (strcmp(text, "1") == 0)
    return 0;
  size_t n = strlen(text);
  if (kind == '-' && (n < 3 || strcmp(text + n - 2, "+1") != 0))
    return bad(r, "'%.40s': an extent with - is a-b+1", text);
  if (kind == '-')
    text[n - 2] = '\0';
  *operator = '\0';
  int first = find_dim(op, text), second = kind ? find_dim(op, operator + 1) : 0;
  if (first < 0 || second < 0)
    return bad(r, "no dim '%.40s' (dims come before tensors)", first < 0 ? text : operator + 1);
  *out = kind == '-' ? WF_VALID(first, second) : kind == '*' ? WF_TIMES(first, second) : first;
  return 0;
}

static int take_start(Reader *r, WfTensorDesc *t, const char *word) {
  t->start = strcmp(word, "zero") == 0 ? WF_START_ZERO : strcmp(word, "-inf") == 0 ? WF_START_MINUS_INF : WF_START_NOTHING;
  if (*word && (t->start == WF_START_NOTHING || t->role == WF_IN))
    return bad(r, "'%.40s' behind the tensor", word);
  return 0;
}

static void remove_blanks(char *s) {
  char *to = s;
  for (; *s; s++)
    if (*s != ' ' && *s != '\t')
      *to++ = *s;
  *to = '\0';
}

static int take_tensor(Reader *r, char *rest, WfRole role) {
  WfOp *op = &r->s->op;
  WfTensorDesc t = {.role = role};
  char *open = strchr(rest, '['), *close = strchr(rest, ']');
  if (op->n_tensors == WF_MAX_TENSORS)
    return bad(r, "an op has at most %d tensors", WF_MAX_TENSORS);
  if (!open || !close || close < open)
    return bad(r, "a tensor is NAME[EXTENT] or NAME[EXTENT, EXTENT], with a type behind the name: NAME f16 [EXTENT]");
  *open = *close = '\0';
  t.name = take_word(&rest);
  if (*rest && wf_dtype_parse(rest, strcspn(rest, " \t"), &t.dtype) != 0)
    return bad(r, "a type is f32, f16 or bf16, not '%.40s'", rest);
  remove_blanks(open + 1);
  char *second = strchr(open + 1, ',');
  if (second)
    *second++ = '\0';
  t.rank = second ? 2 : 1;
  if (check_name(r, t.name) != 0 || take_extent(r, open + 1, &t.dim[0]) != 0 || (second && take_extent(r, second, &t.dim[1]) != 0))
    return -1;
  if (take_start(r, &t, skip_blanks(close + 1)) != 0)
    return -1;
  op->tensors[op->n_tensors++] = t;
  return 0;
}

static int take_number(Reader *r, const char *word, double *out) {
  if (wf_number_double(word, strlen(word), out) != 0 || !isfinite(*out))
    return bad(r, "'%.40s' is no finite number", word);
  return 0;
}

static int take_scalar(Reader *r, char *rest, WfScalarKind kind) {
  WfOp *op = &r->s->op;
  char *name = take_word(&rest);
  if (op->n_scalars == WF_MAX_SCALARS)
    return bad(r, "an op has at most %d scalars", WF_MAX_SCALARS);
  if (check_name(r, name) != 0)
    return -1;
  WfScalarDesc d = {.name = name, .kind = kind};
  for (; *rest; d.n_usual++) {
    if (d.n_usual == WF_MAX_USUAL || kind == WF_FLAG)
      return bad(r, kind == WF_FLAG ? "a flag has no values" : "at most %d values", WF_MAX_USUAL);
    if (take_number(r, take_word(&rest), &d.usual[d.n_usual]) != 0)
      return -1;
    d.usual[d.n_usual] = (double)(float)d.usual[d.n_usual];
  }
  if (kind == WF_REAL && d.n_usual == 0)
    return bad(r, "a scalar needs a value at least");
  op->scalars[op->n_scalars++] = d;
  return 0;
}

static int take_requires(Reader *r, char *rest) {
  if (r->s->op.requires || !*rest)
    return bad(r, "one condition, please (join them with &&)");
  r->s->op.requires = rest;
  return 0;
}

static int take_values(Reader *r, char *rest) {
  if (take_number(r, take_word(&rest), &r->s->values) != 0)
    return -1;
  return *rest || !(r->s->values > 0) || r->s->values > (double)FLT_MAX ? bad(r, "values takes one number above 0") : 0;
}

static int take_reference(Reader *r, char *rest) {
  r->c_name = take_word(&rest);
  r->s->function = take_word(&rest);
  if (!*r->c_name || !is_identifier(r->s->function) || *rest)
    return bad(r, "reference takes a C file and the name of a function");
  return 0;
}

static int take_bound(Reader *r, char *rest) {
  WfOpSpec *s = r->s;
  s->bound = NULL;
  s->rtol = s->atol = -1;
  if (!strchr(rest, '=') && is_identifier(rest)) {
    s->bound = rest;
    return 0;
  }
  while (*rest) {
    char *word = take_word(&rest);
    double *to = strncmp(word, "rtol=", 5) == 0 ? &s->rtol : strncmp(word, "atol=", 5) == 0 ? &s->atol : NULL;
    if (!to)
      return bad(r, "bound takes rtol=R, atol=A, or the name of a function");
    if (take_number(r, word + 5, to) != 0)
      return -1;
    if (*to < 0)
      return bad(r, "a bound is not below 0");
  }
  if (s->rtol < 0 && s->atol < 0)
    return bad(r, "bound takes rtol=R, atol=A, or the name of a function");
  s->rtol = s->rtol < 0 ? 0 : s->rtol;
  s->atol = s->atol < 0 ? 0 : s->atol;
  return 0;
}

static int take_line(Reader *r, char *line) {
  char *word = take_word(&line);
  if (strcmp(word, "name") == 0)
    return take_name(r, line);
  if (strcmp(word, "dim") == 0)
    return take_dim(r, line);
  if (strcmp(word, "in") == 0 || strcmp(word, "out") == 0)
    return take_tensor(r, line, *word == 'i' ? WF_IN : WF_OUT);
  if (strcmp(word, "scalar") == 0 || strcmp(word, "flag") == 0)
    return take_scalar(r, line, *word == 's' ? WF_REAL : WF_FLAG);
  if (strcmp(word, "requires") == 0)
    return take_requires(r, line);
  if (strcmp(word, "values") == 0)
    return take_values(r, line);
  if (strcmp(word, "reference") == 0)
    return take_reference(r, line);
  if (strcmp(word, "bound") == 0)
    return take_bound(r, line);
  return bad(r, "unknown line '%.40s'", word);
}

/* ---- the whole ---- */

static int check_whole(Reader *r) {
  const WfOpSpec *s = r->s;
  int n_out = 0;
  for (int i = 0; i < s->op.n_tensors; i++)
    n_out += s->op.tensors[i].role == WF_OUT;
  if (!s->op.name || !s->op.n_dims || !s->function || (!s->bound && s->rtol < 0))
    return bad(r, "%s is missing", !s->op.name ? "name" : !s->op.n_dims ? "dim" : !s->function ? "reference" : "bound");
  if (n_out != 1 || s->op.n_tensors < 2)
    return bad(r, "an op has one out and at least one in");
  const int64_t least[WF_MAX_DIMS] = {s->op.dims[0].min, s->op.dims[1].min, s->op.dims[2].min};
  int64_t holds;
  char why[128];
  const WfVars vars = {.op = &s->op, .dim = least};
  if (s->op.requires && wf_expr_eval(s->op.requires, &vars, &holds, why, sizeof why) != 0)
    return bad(r, "requires: %s", why);
  return 0;
}

char *wf_text_read(const char *path) {
  errno = 0;
  FILE *f = fopen(path, "r");
  char *text = f ? malloc(MAX_SPEC_BYTES + 1) : NULL;
  size_t n = text ? fread(text, 1, MAX_SPEC_BYTES, f) : 0;
  int failed = f && ferror(f);
  if (text)
    text[n] = '\0';
  if (f)
    fclose(f);
  if (failed) {
    free(text);
    return NULL;
  }
  return text;
}

/* Beside the spec, unless it is absolute. */
static char *c_path(const char *spec, const char *name) {
  const char *slash = strrchr(spec, '/');
  WfText t = {0};
  if (slash && *name != '/')
    wf_text_put(&t, spec, (size_t)(slash + 1 - spec));
  wf_text_add(&t, "%s", name);
  return wf_text_take(&t);
}

static int read_lines(Reader *r, int *line_number) {
  char *next = r->s->text;
  int has_head = 0;
  for (*line_number = 1; *next; ++*line_number) {
    char *line = next, *end = line + strcspn(line, "\n");
    next = *end ? end + 1 : end;
    *end = '\0';
    line[strcspn(line, "#\r")] = '\0';
    line = skip_blanks(line);
    for (size_t n = strlen(line); n && (line[n - 1] == ' ' || line[n - 1] == '\t');)
      line[--n] = '\0';
    if (!*line)
      continue;
    if (!has_head) {
      if (strcmp(line, "warpfuzz op 1") != 0)
        return bad(r, "the first line is 'warpfuzz op 1'");
      has_head = 1;
    } else if (take_line(r, line) != 0) {
      return -1;
    }
  }
  return check_whole(r);
}

int wf_op_spec_load(WfOpSpec *out, const char *path, char *err, size_t err_size) {
  Reader r = {.s = out, .path = path};
  int line = 0;
  *out = (WfOpSpec){.rtol = -1, .atol = -1};
  out->text = wf_text_read(path);
  if (!out->text) {
    snprintf(err, err_size, "%.300s: %s", path, strerror(errno ? errno : ENOMEM));
    return -1;
  }
  if (read_lines(&r, &line) != 0) {
    snprintf(err, err_size, "%.300s:%d: %s", path, line, r.why);
    return -1;
  }
  out->c_file = c_path(path, r.c_name);
  if (out->c_file)
    return 0;
  snprintf(err, err_size, "out of memory");
  return -1;
}

void wf_op_spec_free(WfOpSpec *s) {
  free(s->text);
  free(s->c_file);
  *s = (WfOpSpec){0};
}
