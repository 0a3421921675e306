/* rewrite_asm.c - takes asm statements apart. */
#include "rewrite_asm.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void simt_text_put(SimtText *t, const char *s, size_t len) {
  if (!t->failed && t->len + len + 1 > t->cap) {
    size_t cap = (t->len + len + 1) * 2;
    char *more = realloc(t->s, cap);
    if (more) t->s = more, t->cap = cap;
    else t->failed = 1;
  }
  if (t->failed) return;
  memcpy(t->s + t->len, s, len);
  t->len += len;
  t->s[t->len] = '\0';
}

void simt_text_puts(SimtText *t, const char *s) { simt_text_put(t, s, strlen(s)); }

/* The text of a token, without line splices. */
static void put_token(SimtText *t, const SimtView *v, size_t i) {
  const char *s = v->text + v->tok[i].off, *end = s + v->tok[i].len;
  for (; s < end; s++) {
    const char *q = s + 1;
    while (*s == '\\' && q < end && (*q == ' ' || *q == '\t' || *q == '\r')) q++;
    if (*s == '\\' && q < end && *q == '\n') s = q;
    else simt_text_put(t, s, 1);
  }
}

static void put_tokens(SimtText *t, const SimtView *v, size_t first, size_t end) {
  for (size_t i = first; i < end; i++) {
    if (i > first && !v->tok[i].glued) simt_text_puts(t, " ");
    put_token(t, v, i);
  }
}

/* A string literal's characters. Escapes that PTX text does not need become blanks. */
static int put_literal(SimtText *t, const SimtView *v, size_t i) {
  SimtText raw = {0};
  put_token(&raw, v, i);
  if (raw.failed || !raw.s) return t->failed = 1;
  const char *open = strchr(raw.s, '"');
  if (open > raw.s && open[-1] == 'R') {
    const char *from = strchr(open, '('), *to = strrchr(raw.s, ')');
    if (from && to > from) simt_text_put(t, from + 1, (size_t)(to - from - 1));
  } else {
    for (const char *s = open + 1; *s && *s != '"'; s++) {
      static const char plain[] = "\"\\'";
      if (*s != '\\') simt_text_put(t, s, 1);
      else if (*++s == 'n') simt_text_puts(t, "\n");
      else simt_text_put(t, strchr(plain, *s) && *s ? s : " ", 1);
    }
  }
  free(raw.s);
  return 0;
}

static int is_string(const SimtView *v, size_t i) {
  return i < v->n && v->tok[i].kind == SIMT_TOK_LITERAL && memchr(v->text + v->tok[i].off, '"', v->tok[i].len) != NULL;
}

static int at(const SimtView *v, size_t i, char c) {
  const char s[2] = {c, '\0'};
  return simt_tok_is(v, i, s);
}

/* `"=r"(x)`, perhaps with `[name]` in front: the operand's text. Behind it, or SIMT_NO_TOK: no operand of PTX's. */
static size_t read_operand(SimtAsm *a, const SimtView *v, size_t i) {
  if (a->n_operands == SIMT_ASM_OPERANDS || !is_string(v, i) || !at(v, i + 1, '(')) return SIMT_NO_TOK;
  const char *constraint = v->text + v->tok[i].off;
  for (size_t k = 1; k + 1 < v->tok[i].len; k++)
    if (!strchr("=+&rlfdhnqC", constraint[k])) return SIMT_NO_TOK;
  size_t close = simt_bracket_close(v, i + 1);
  if (close == SIMT_NO_TOK) return SIMT_NO_TOK;
  a->is_output[a->n_operands] = constraint[1] == '=' || constraint[1] == '+';
  a->is_input[a->n_operands] = constraint[1] != '=';
  put_tokens(&a->operand[a->n_operands++], v, i + 2, close);
  return close + 1;
}

/* From the first `:` to the `)`. 0, or -1: it is not PTX. */
static int read_operands(SimtAsm *a, const SimtView *v, size_t i, size_t close) {
  int section = 0;
  while (i < close) {
    if (at(v, i, ':')) section++, i++;
    else if (simt_tok_is(v, i, "::")) section += 2, i++;
    else if (at(v, i, ',')) i++;
    else if (section > 2) i++; /* clobbers */
    else if ((i = read_operand(a, v, i)) == SIMT_NO_TOK) return -1;
  }
  return 0;
}

static size_t behind_qualifiers(const SimtView *v, size_t i) {
  static const char *const words[] = {"volatile", "__volatile__", "__volatile", "inline"};
  for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
    if (simt_tok_is(v, i, words[k])) return behind_qualifiers(v, i + 1);
  return i;
}

static int read_asm(SimtAsm *a, const SimtView *v, size_t open, size_t close) {
  size_t i = open + 1;
  for (; i < close && !at(v, i, ':') && !simt_tok_is(v, i, "::"); i++) {
    if (is_string(v, i)) put_literal(&a->code, v, i);
    else a->is_opaque = 1;
  }
  simt_text_puts(&a->code, "");
  return read_operands(a, v, i, close);
}

static int is_failed(const SimtAsm *a) {
  int failed = a->code.failed;
  for (size_t k = 0; k < a->n_operands; k++) failed |= a->operand[k].failed;
  return failed;
}

static void put_operand(SimtText *out, const SimtAsm *a, size_t k, const char *before, const char *after) {
  simt_text_puts(out, before);
  simt_text_puts(out, a->operand[k].s);
  simt_text_puts(out, after);
}

static void put_variable(SimtText *out, size_t k) {
  char name[32];
  snprintf(name, sizeof name, "simt_asm%zu", k);
  simt_text_puts(out, name);
}

/* Operands are evaluated once, in front; what the instructions leave is stored behind. */
static void put_block(SimtText *out, const SimtAsm *a, const char *statements) {
  simt_text_puts(out, "({ ");
  for (size_t k = 0; k < a->n_operands; k++) {
    if (a->is_output[k]) put_operand(out, a, k, "::simt::ptx::Plain<decltype((", "))> ");
    else simt_text_puts(out, "[[maybe_unused]] auto ");
    put_variable(out, k);
    if (a->is_input[k]) put_operand(out, a, k, " = (", ")");
    simt_text_puts(out, "; ");
  }
  simt_text_puts(out, statements);
  for (size_t k = 0; k < a->n_operands; k++) {
    if (!a->is_output[k]) continue;
    put_operand(out, a, k, "(", ") = ");
    put_variable(out, k);
    simt_text_puts(out, "; ");
  }
  simt_text_puts(out, "})");
}

static void put_statement(SimtText *out, const SimtAsm *a) {
  SimtText statements = {0};
  int rc = simt_rewrite_ptx(a, &statements);
  simt_text_puts(&statements, "");
  if (statements.failed) out->failed = 1;
  else if (rc) simt_text_puts(out, statements.s);
  else put_block(out, a, statements.s);
  free(statements.s);
}

/* x86's in host code, by the look of it: a word without a type, as in asm volatile("pause"). */
static int is_foreign(const SimtAsm *a) {
  static const char *const words[] = {"trap", "brkpt", "exit", "ret"};
  const char *s = a->code.s;
  if (a->code.failed || a->is_opaque || strchr(s, '.') || !s[strspn(s, " \t\n")]) return 0;
  for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
    if (strstr(s, words[k])) return 0;
  return 1;
}

int simt_rewrite_asm(const SimtView *v, size_t i, char **out, size_t *last) {
  if (!simt_tok_is(v, i, "asm") && !simt_tok_is(v, i, "__asm__") && !simt_tok_is(v, i, "__asm")) return 0;
  size_t open = behind_qualifiers(v, i + 1), close = at(v, open, '(') ? simt_bracket_close(v, open) : SIMT_NO_TOK;
  if (close == SIMT_NO_TOK || !(is_string(v, open + 1) || open > i + 1)) return 0;
  SimtAsm a = {.n_operands = 0};
  SimtText text = {0};
  int rc = read_asm(&a, v, open, close) ? 0 : 1;
  if (rc && is_foreign(&a)) rc = 0;
  if (rc && !is_failed(&a)) put_statement(&text, &a);
  if (rc && (is_failed(&a) || text.failed)) rc = -2;
  if (rc == 1) *out = text.s, *last = close;
  else free(text.s);
  free(a.code.s);
  for (size_t k = 0; k < a.n_operands; k++) free(a.operand[k].s);
  return rc;
}
