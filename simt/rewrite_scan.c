/* rewrite_scan.c - launches, configuration macros, and `__shared__` beside another storage class. */
#include "rewrite_scan.h"
#include "rewrite_asm.h"
#include <stdlib.h>
#include <string.h>

typedef struct Macro { /* a #define that matters where it is used */
  const SimtDefine *def;
  int is_config; /* body is `<<<...>>>`; else it is `__shared__` */
} Macro;

typedef struct Scan {
  const SimtSource *src;
  SimtView view; /* the tokens looked at: the code, or the body of one define */
  int in_body;
  Macro *macros;
  size_t n_macros;
  SimtEdits *out;
} Scan;

static int fail(Scan *s, size_t tok, const char *message) {
  s->out->error = message;
  s->out->error_at = s->view.tok[tok].off;
  return -1;
}

int simt_edit_add(SimtEdits *out, SimtEdit e) {
  if (out->n == out->cap) {
    size_t cap = out->cap ? out->cap * 2 : 32;
    SimtEdit *v = realloc(out->v, cap * sizeof *v);
    if (!v)
      return -2;
    out->v = v;
    out->cap = cap;
  }
  out->v[out->n++] = e;
  return 0;
}

static int add_edit(Scan *s, SimtEdit e) { return simt_edit_add(s->out, e); }

static size_t tok_end(const Scan *s, size_t i) { return s->view.tok[i].off + s->view.tok[i].len; }

static int replace(Scan *s, size_t first, size_t n, const char *text) {
  return add_edit(s, (SimtEdit){.kind = SIMT_EDIT_TEXT,
                                .at = s->view.tok[first].off,
                                .end = tok_end(s, first + n - 1),
                                .text = text});
}

static const Macro *find_macro(const Scan *s, size_t i) {
  const SimtTok *tok = &s->view.tok[i];
  for (size_t m = 0; m < s->n_macros; m++) {
    const SimtDefine *d = s->macros[m].def;
    if (d->name_len == tok->len && memcmp(s->src->text + d->name, s->src->text + tok->off, tok->len) == 0)
      return &s->macros[m];
  }
  return NULL;
}

/* ---- __shared__ ---- */

static int is_storage(const Scan *s, size_t i) {
  return simt_tok_is(&s->view, i, "extern") || simt_tok_is(&s->view, i, "static");
}

static int is_one_of(const Scan *s, size_t i, const char *chars) {
  const SimtTok *tok = &s->view.tok[i];
  return tok->kind == SIMT_TOK_PUNCT && tok->len == 1 && strchr(chars, s->src->text[tok->off]) != NULL;
}

/* Does the declaration around token i say `extern` or `static`? Specifiers come in any order, attributes between. */
static int has_storage(const Scan *s, size_t i) {
  for (size_t k = i; k-- > 0 && !is_one_of(s, k, ";{}:([");) {
    if (is_storage(s, k))
      return 1;
    if (is_one_of(s, k, ")]"))
      k = simt_bracket_open(&s->view, k);
    if (k == SIMT_NO_TOK)
      break;
  }
  for (size_t k = i + 1; k < s->view.n && !is_one_of(s, k, ";{}=[):"); k++) {
    if (is_storage(s, k))
      return 1;
    if (is_one_of(s, k, "("))
      k = simt_bracket_close(&s->view, k);
    if (k == SIMT_NO_TOK)
      break;
  }
  return 0;
}

/* ---- launches ---- */

/* Fills in the end: behind the argument list, when one follows in the same arm of an #if. The three places of a launch
 * must share an arm, or the pieces could not be put in another order. */
static int add_launch(Scan *s, SimtEdit e, size_t start, size_t open, size_t last) {
  const SimtTok *tok = s->view.tok;
  if (tok[start].branch != tok[open].branch || tok[open].branch != tok[last].branch)
    return fail(s, open, "launch is split by preprocessor conditionals");
  e.at = tok[start].off;
  e.open = tok[open].off;
  e.close_end = e.end = tok_end(s, last);
  if (simt_tok_is(&s->view, last + 1, "(") && tok[last + 1].branch == tok[open].branch) {
    size_t close = simt_bracket_close(&s->view, last + 1);
    if (close != SIMT_NO_TOK && tok[close].branch == tok[open].branch)
      e.end = tok_end(s, close);
  }
  return add_edit(s, e);
}

/* Why has the `<<<` at `open` no `>>>`? A bracket that closes around it makes it text for a macro: left alone. */
static int unclosed(Scan *s, size_t open) {
  for (size_t i = open + 3; i < s->view.n && !is_one_of(s, i, ";}"); i++) {
    if (is_one_of(s, i, ")]"))
      return 0;
    if (is_one_of(s, i, "([{"))
      i = simt_bracket_close(&s->view, i);
    if (i == SIMT_NO_TOK)
      break;
  }
  return s->in_body ? 0 : fail(s, open, "launch without '>>>'");
}

/* `<<<` without an expression in front is no launch. */
static int scan_launch(Scan *s, size_t open) {
  size_t start = simt_callee_start(&s->view, open);
  if (start == SIMT_NO_TOK)
    return 0;
  size_t close = simt_config_close(&s->view, open + 3);
  if (close == SIMT_NO_TOK)
    return unclosed(s, open);
  SimtEdit e = {.kind = SIMT_EDIT_LAUNCH, .config = tok_end(s, open + 2), .config_end = s->view.tok[close].off};
  return add_launch(s, e, start, open, close + 2);
}

/* EXPR CFG(g, b)(args) */
static int scan_macro_launch(Scan *s, size_t name, const Macro *m) {
  size_t start = simt_callee_start(&s->view, name), last = name;
  if (m->def->function_like)
    last = simt_tok_is(&s->view, name + 1, "(") ? simt_bracket_close(&s->view, name + 1) : SIMT_NO_TOK;
  if (start == SIMT_NO_TOK || last == SIMT_NO_TOK)
    return 0;
  SimtEdit e = {.kind = SIMT_EDIT_LAUNCH_MACRO, .config = s->view.tok[name].off, .config_end = tok_end(s, last)};
  return add_launch(s, e, start, name, last);
}

/* `__shared__ alignas(16) float f[N]`: behind the attributes that __shared__ stands for, C++ takes no alignas. */
static int is_late_alignas(const Scan *s, size_t i) {
  if (!simt_tok_is(&s->view, i, "alignas")) return 0;
  while (i > 0 && s->view.tok[--i].kind == SIMT_TOK_NAME)
    if (simt_tok_is(&s->view, i, "__shared__")) return 1;
  return 0;
}

static int scan_name(Scan *s, size_t i) {
  if (is_late_alignas(s, i))
    return replace(s, i, 1, "__align"); /* of the same length; the shim defines it */
  int shared = simt_tok_is(&s->view, i, "__shared__");
  const Macro *m = shared ? NULL : find_macro(s, i);
  if (m && m->is_config)
    return scan_macro_launch(s, i, m);
  /* __shared__ brings `static` with it; __sharex__ is the same without */
  return (shared || m) && has_storage(s, i) ? replace(s, i, 1, "__sharex__") : 0;
}

/* Behind the statement in *i, when there is one. */
static int scan_asm(Scan *s, size_t *i) {
  char *text;
  size_t last;
  int rc = simt_rewrite_asm(&s->view, *i, &text, &last);
  if (rc <= 0)
    return rc;
  rc = add_edit(s, (SimtEdit){.kind = SIMT_EDIT_OWN_TEXT, .at = s->view.tok[*i].off, .end = tok_end(s, last), .own = text});
  if (rc)
    free(text);
  *i = last;
  return rc;
}

static int scan_tokens(Scan *s) {
  int rc = 0;
  for (size_t i = 0; !rc && i < s->view.n; i++) {
    size_t run = simt_tok_run(&s->view, i, "<"), at = i;
    if (s->view.tok[i].kind == SIMT_TOK_NAME && ((rc = scan_asm(s, &i)) != 0 || i != at))
      continue;
    if (s->view.tok[i].kind == SIMT_TOK_NAME)
      rc = scan_name(s, i);
    else if (run == 3)
      rc = scan_launch(s, i);
    if (run > 1)
      i += run - 1;
  }
  return rc;
}

/* ---- defines ---- */

static int is_config_body(const SimtView *v) {
  return simt_tok_run(v, 0, "<") == 3 && simt_config_close(v, 3) == v->n - 3;
}

typedef int BodyFn(Scan *s, const SimtDefine *d);

static int classify_body(Scan *s, const SimtDefine *d) {
  int is_config = is_config_body(&s->view);
  int is_shared = !d->function_like && s->view.n == 1 && simt_tok_is(&s->view, 0, "__shared__");
  if (is_config || is_shared)
    s->macros[s->n_macros++] = (Macro){d, is_config};
  return 0;
}

static int scan_body(Scan *s, const SimtDefine *d) {
  (void)d;
  if (!is_config_body(&s->view))
    return scan_tokens(s);
  int rc = replace(s, 0, 3, "(");
  return rc ? rc : replace(s, s->view.n - 3, 3, ")");
}

/* Calls fn with the view set to the body of each define. */
static int each_body(Scan *s, BodyFn *fn) {
  int rc = 0;
  for (size_t i = 0; !rc && i < s->src->n_defines; i++) {
    const SimtDefine *d = &s->src->defines[i];
    SimtToks toks = {0};
    rc = simt_lex_body(s->src->text, d->body, d->end, &toks);
    s->view = (SimtView){s->src->text, toks.v, toks.n};
    if (!rc)
      rc = fn(s, d);
    free(toks.v);
  }
  return rc;
}

int simt_scan_source(const SimtSource *src, SimtEdits *out) {
  Scan s = {.src = src, .in_body = 1, .out = out};
  s.macros = malloc((src->n_defines + 1) * sizeof *s.macros);
  if (!s.macros)
    return -2;
  int rc = each_body(&s, classify_body);
  if (!rc)
    rc = each_body(&s, scan_body);
  if (!rc) {
    s.in_body = 0;
    s.view = (SimtView){src->text, src->code.v, src->code.n};
    rc = scan_tokens(&s);
  }
  free(s.macros);
  return rc;
}

void simt_edits_free(SimtEdits *e) {
  for (size_t i = 0; i < e->n; i++)
    free(e->v[i].own);
  free(e->v);
}
