/* rewrite_expr.c - brackets, callees and configurations. Nothing here knows what is a template; where `<` could be
 * either, the reading that lets the launch end is taken. */
#include "rewrite_expr.h"
#include <string.h>

int simt_tok_is(const SimtView *v, size_t i, const char *text) {
  size_t len = strlen(text);
  return i < v->n && v->tok[i].kind != SIMT_TOK_LITERAL && v->tok[i].len == len &&
         memcmp(v->text + v->tok[i].off, text, len) == 0;
}

size_t simt_tok_run(const SimtView *v, size_t i, const char *text) {
  size_t n = 0;
  while (simt_tok_is(v, i + n, text) && (n == 0 || v->tok[i + n].glued))
    n++;
  return n;
}

/* 1 for ( [ {, -1 for ) ] }, else 0. */
static int bracket(const SimtView *v, size_t i) {
  if (v->tok[i].kind != SIMT_TOK_PUNCT || v->tok[i].len != 1)
    return 0;
  char c = v->text[v->tok[i].off];
  return c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
}

size_t simt_bracket_close(const SimtView *v, size_t open) {
  int depth = 0;
  for (size_t i = open; i < v->n; i++) {
    depth += bracket(v, i);
    if (depth == 0)
      return i;
  }
  return SIMT_NO_TOK;
}

size_t simt_bracket_open(const SimtView *v, size_t close) {
  int depth = 0;
  for (size_t i = close + 1; i-- > 0;) {
    depth += bracket(v, i);
    if (depth == 0)
      return i;
  }
  return SIMT_NO_TOK;
}

static int is_one_of(const SimtView *v, size_t i, const char *const *words, size_t n) {
  for (size_t w = 0; w < n; w++) {
    if (simt_tok_is(v, i, words[w]))
      return 1;
  }
  return 0;
}

/* A name that can stand in an expression: no word of a statement. */
static int is_operand_name(const SimtView *v, size_t i) {
  static const char *const words[] = {
      "return", "else",     "do",       "case",     "default",   "goto",     "throw",    "if",    "while",
      "for",    "switch",   "new",      "delete",   "sizeof",    "operator", "typename", "const", "constexpr",
      "static", "template", "co_yield", "co_await", "co_return", "and",      "or",       "not",   "extern"};
  return v->tok[i].kind == SIMT_TOK_NAME && !is_one_of(v, i, words, sizeof words / sizeof *words);
}

/* Is the group that opens at i the condition of a statement, so that an expression behind it is a new one? */
static int is_condition(const SimtView *v, size_t i) {
  static const char *const words[] = {"if", "while", "for", "switch", "constexpr", "catch"};
  return i > 0 && is_one_of(v, i - 1, words, sizeof words / sizeof *words);
}

/* The `<` of the template list that ends with the `>` at i. Two glued `<` are a shift: no list begins with `<`. */
static size_t angle_open(const SimtView *v, size_t i) {
  int depth = 0;
  for (size_t k = i + 1; k-- > 0;) {
    if (bracket(v, k) > 0 || simt_tok_is(v, k, ";"))
      return SIMT_NO_TOK;
    if (bracket(v, k) < 0) {
      k = simt_bracket_open(v, k);
      if (k == SIMT_NO_TOK)
        return SIMT_NO_TOK;
    } else if (simt_tok_is(v, k, ">")) {
      depth++;
    } else if (simt_tok_is(v, k, "<")) {
      size_t last = k;
      while (k > 0 && v->tok[k].glued && simt_tok_is(v, k - 1, "<"))
        k--;
      if (last - k > 1)
        return SIMT_NO_TOK;
      if (last == k && --depth == 0)
        return k;
    }
  }
  return SIMT_NO_TOK;
}

/* First token of the operand that ends in front of `end`: a name, `name<...>`, `(...)` or `[...]`. */
static size_t operand_start(const SimtView *v, size_t end) {
  if (end == 0)
    return SIMT_NO_TOK;
  size_t i = end - 1;
  if (simt_tok_is(v, i, ")") || simt_tok_is(v, i, "]"))
    return simt_bracket_open(v, i);
  if (simt_tok_is(v, i, ">")) {
    i = angle_open(v, i);
    if (i == SIMT_NO_TOK || i == 0)
      return SIMT_NO_TOK;
    i--;
  }
  return is_operand_name(v, i) ? i : SIMT_NO_TOK;
}

/* The operand that the group at i is applied to, as in `f(x)` and `t[i]`; i itself when it stands alone. */
static size_t extend_group(const SimtView *v, size_t i) {
  size_t before = operand_start(v, i);
  if (before != SIMT_NO_TOK && bracket(v, before) > 0 && is_condition(v, before))
    before = SIMT_NO_TOK;
  if (before != SIMT_NO_TOK)
    return before;
  return simt_tok_is(v, i, "[") ? SIMT_NO_TOK : i;
}

/* The operand in front of `::`, or the `::` itself. */
static size_t extend_scope(const SimtView *v, size_t colons) {
  size_t before = operand_start(v, colons);
  if (before == SIMT_NO_TOK || simt_tok_is(v, before, "["))
    return colons;
  if (simt_tok_is(v, before, "(") && !(before > 0 && simt_tok_is(v, before - 1, "decltype")))
    return colons;
  return before;
}

/* The operand that the name at i belongs to, as in `a::i`, `a.i`, `a->template i`, `a##i`; i itself when alone. */
static size_t extend_name(const SimtView *v, size_t i) {
  size_t link = i - 1;
  if (link > 0 && simt_tok_is(v, link, "template"))
    link--;
  if (simt_tok_is(v, link, "::"))
    return extend_scope(v, link);
  if (simt_tok_is(v, link, ".") || simt_tok_is(v, link, "->"))
    return operand_start(v, link);
  return simt_tok_is(v, link, "##") ? operand_start(v, link) : i;
}

size_t simt_callee_start(const SimtView *v, size_t end) {
  size_t i = operand_start(v, end);
  while (i != SIMT_NO_TOK && i > 0 && !simt_tok_is(v, i, "::")) {
    size_t next = bracket(v, i) > 0 ? extend_group(v, i) : extend_name(v, i);
    if (next == i)
      break;
    i = next;
  }
  return i;
}

/* ---- configuration ---- */

typedef struct Search {
  const SimtView *v;
  int budget; /* choices left: bounds the work on sources that are no CUDA */
} Search;

/* `<` behind one of these may open a template list; `[` closes a lambda's captures. */
static int may_open_list(const SimtView *v, size_t i) {
  return i > 0 && (v->tok[i - 1].kind == SIMT_TOK_NAME || simt_tok_is(v, i - 1, "]")) && simt_tok_run(v, i, "<") == 1;
}

/* Looks for `>>>` from token i on, `lists` template lists being open. A run of `>` closes the open lists first; exactly
 * three left over end the launch; fewer are an operator. */
static size_t config_close(Search *s, size_t i, size_t lists) {
  const SimtView *v = s->v;
  for (; i < v->n; i++) {
    size_t run = simt_tok_run(v, i, ">");
    if (bracket(v, i) > 0) {
      i = simt_bracket_close(v, i);
      if (i == SIMT_NO_TOK)
        return SIMT_NO_TOK;
    } else if (bracket(v, i) < 0 || simt_tok_is(v, i, ";") || simt_tok_run(v, i, "<") >= 3) {
      return SIMT_NO_TOK;
    } else if (run) {
      size_t closed = run < lists ? run : lists;
      if (run - closed == 3 && closed == lists)
        return i + closed;
      lists -= closed;
      i += run - 1;
    } else if (simt_tok_is(v, i, "<") && may_open_list(v, i)) {
      size_t close = s->budget-- > 0 ? config_close(s, i + 1, lists + 1) : SIMT_NO_TOK;
      if (close != SIMT_NO_TOK)
        return close;
    } else if (simt_tok_is(v, i, "<")) {
      i += simt_tok_run(v, i, "<") - 1;
    }
  }
  return SIMT_NO_TOK;
}

size_t simt_config_close(const SimtView *v, size_t i) {
  Search s = {v, 1000};
  return config_close(&s, i, 0);
}
