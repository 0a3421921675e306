/* rewrite_lex.c - the lexer. It works on the text as it is: line splices are stepped over where they may stand (raw
 * strings excepted), so that every token keeps its offset. */
#include "rewrite_lex.h"
#include <stdlib.h>
#include <string.h>

typedef struct Arm { /* one open #if */
  uint32_t branch;
  int dead;  /* 1: `#if 0`, until its #else; 2: inside a dead group */
} Arm;

typedef struct Lexer {
  const char *t;
  size_t p, end;
  SimtToks *toks;
  SimtSource *src; /* NULL in bodies: there are no directives */
  Arm *arms;
  size_t n_arms, cap_arms;
  uint32_t last_branch;
  int line_start, glued;
  size_t n_waiting; /* comments, the last of src->meant, that are about the line of the next token */
} Lexer;

static int grow(void **v, size_t *cap, size_t n, size_t item_bytes) {
  if (n < *cap)
    return 0;
  size_t want = *cap ? *cap * 2 : 64;
  void *p = realloc(*v, want * item_bytes);
  if (!p)
    return -2;
  *v = p;
  *cap = want;
  return 0;
}

static int is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' || c == '\0'; }
static int is_digit(char c) { return c >= '0' && c <= '9'; }
static int is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$' ||
         (unsigned char)c >= 0x80;
}

/* Compilers let blanks stand between the backslash and the newline. */
static size_t splice_len(const char *t, size_t p, size_t end) {
  if (p >= end || t[p] != '\\')
    return 0;
  size_t q = p + 1;
  while (q < end && t[q] != '\n' && is_space(t[q]))
    q++;
  return q < end && t[q] == '\n' ? q + 1 - p : 0;
}

static size_t after_splices(const char *t, size_t p, size_t end) {
  for (size_t n; (n = splice_len(t, p, end)) != 0;)
    p += n;
  return p;
}

/* The character that follows the one at p, splices aside; 0 at the end. */
static char next_char(const Lexer *lx, size_t p) {
  p = after_splices(lx->t, p + 1, lx->end);
  return p < lx->end ? lx->t[p] : 0;
}

/* First byte behind the character that follows the one at p. */
static size_t after_next(const Lexer *lx, size_t p) { return after_splices(lx->t, p + 1, lx->end) + 1; }

static int fail(Lexer *lx, size_t at, const char *message) {
  if (lx->src) {
    lx->src->error = message;
    lx->src->error_at = at;
  }
  return -1;
}

static int is_comment(const Lexer *lx) {
  char c = lx->t[lx->p] == '/' ? next_char(lx, lx->p) : 0;
  return c == '/' || c == '*';
}

/* At a comment: steps behind it; a line comment leaves its newline. */
static int skip_comment(Lexer *lx) {
  size_t start = lx->p;
  int block = next_char(lx, start) == '*';
  for (size_t p = after_next(lx, start); p < lx->end; p++) {
    size_t n = splice_len(lx->t, p, lx->end);
    if (n) {
      p += n - 1;
    } else if (!block && lx->t[p] == '\n') {
      lx->p = p;
      return 0;
    } else if (block && lx->t[p] == '*' && next_char(lx, p) == '/') {
      lx->p = after_next(lx, p);
      return 0;
    }
  }
  lx->p = lx->end;
  return block ? fail(lx, start, "comment without end") : 0;
}

static void skip_literal(Lexer *lx) {
  char quote = lx->t[lx->p++];
  while (lx->p < lx->end && lx->t[lx->p] != '\n') {
    size_t n = splice_len(lx->t, lx->p, lx->end);
    char c = lx->t[lx->p];
    lx->p += n ? n : c == '\\' && lx->p + 1 < lx->end ? 2 : 1;
    if (!n && c == quote)
      return;
  }
}

static int is_raw_prefix(const char *t, size_t len) {
  static const char *const prefix[] = {"R", "u8R", "uR", "UR", "LR"};
  for (size_t i = 0; i < sizeof prefix / sizeof *prefix; i++) {
    if (strlen(prefix[i]) == len && memcmp(prefix[i], t, len) == 0)
      return 1;
  }
  return 0;
}

/* At the quote behind a raw prefix. A delimiter that is none makes it an ordinary literal. */
static int skip_raw(Lexer *lx) {
  size_t delim = lx->p + 1, paren = delim;
  while (paren < lx->end && paren - delim <= 16 && !strchr("() \\\t\v\f\r\n\"", lx->t[paren]))
    paren++;
  if (paren >= lx->end || lx->t[paren] != '(') {
    skip_literal(lx);
    return 0;
  }
  size_t n = paren - delim;
  for (size_t p = paren + 1; p + n + 2 <= lx->end; p++) {
    if (lx->t[p] == ')' && lx->t[p + n + 1] == '"' && memcmp(lx->t + p + 1, lx->t + delim, n) == 0) {
      lx->p = p + n + 2;
      return 0;
    }
  }
  size_t start = lx->p;
  lx->p = lx->end;
  return fail(lx, start, "raw string without end");
}

static void skip_name(Lexer *lx) {
  while (lx->p < lx->end && is_name_char(lx->t[lx->p]))
    lx->p = after_splices(lx->t, lx->p + 1, lx->end);
}

/* A preprocessing number: 0x1p-3f, 1'000, .5e+3. */
static void skip_number(Lexer *lx) {
  while (lx->p < lx->end) {
    char c = lx->t[lx->p], next = next_char(lx, lx->p);
    if (c == '\'' ? !is_name_char(next) : !is_name_char(c) && c != '.')
      return;
    int exponent = (c | 32) == 'e' || (c | 32) == 'p';
    lx->p = exponent && (next == '+' || next == '-') ? after_next(lx, lx->p) : lx->p + 1;
    lx->p = after_splices(lx->t, lx->p, lx->end);
  }
}

static void skip_punct(Lexer *lx) {
  static const char *const pairs[] = {"::", "->", "--", "##", "<=", ">="};
  char c = lx->t[lx->p], next = next_char(lx, lx->p);
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    if (c == pairs[i][0] && next == pairs[i][1]) {
      lx->p = after_next(lx, lx->p);
      if (c == '<' && lx->p < lx->end && lx->t[lx->p] == '>') /* <=> */
        lx->p++;
      return;
    }
  }
  lx->p++;
}

/* At the first character of a token: steps behind it. A kind, or -1. */
static int skip_token(Lexer *lx) {
  char c = lx->t[lx->p];
  size_t start = lx->p;
  if (is_digit(c) || (c == '.' && is_digit(next_char(lx, lx->p)))) {
    skip_number(lx);
    return SIMT_TOK_NUMBER;
  }
  if (is_name_char(c)) {
    skip_name(lx);
    if (lx->p >= lx->end || lx->t[lx->p] != '"' || !is_raw_prefix(lx->t + start, lx->p - start))
      return SIMT_TOK_NAME;
    return skip_raw(lx) ? -1 : SIMT_TOK_LITERAL;
  }
  if (c == '"' || c == '\'') {
    skip_literal(lx);
    return SIMT_TOK_LITERAL;
  }
  skip_punct(lx);
  return SIMT_TOK_PUNCT;
}

/* Blanks, comments and splices, within the line. */
static int skip_blanks(Lexer *lx) {
  while (lx->p < lx->end) {
    size_t n = splice_len(lx->t, lx->p, lx->end);
    if (n || is_space(lx->t[lx->p])) {
      lx->p += n ? n : 1;
    } else if (is_comment(lx)) {
      if (skip_comment(lx))
        return -1;
    } else {
      break;
    }
  }
  return 0;
}

static int at_line_end(const Lexer *lx) { return lx->p >= lx->end || lx->t[lx->p] == '\n'; }

static int skip_to_line_end(Lexer *lx) {
  for (;;) {
    if (skip_blanks(lx))
      return -1;
    if (at_line_end(lx))
      return 0;
    if (skip_token(lx) < 0)
      return -1;
  }
}

static int is_dead(const Lexer *lx) { return lx->n_arms && lx->arms[lx->n_arms - 1].dead; }

/* Behind the word of a conditional directive. */
static int read_conditional(Lexer *lx, const char *word, size_t len) {
  Arm *top = lx->n_arms ? &lx->arms[lx->n_arms - 1] : NULL;
  if (word[0] == 'i') { /* if, ifdef, ifndef */
    if (grow((void **)&lx->arms, &lx->cap_arms, lx->n_arms, sizeof *lx->arms))
      return -2;
    Arm arm = {++lx->last_branch, is_dead(lx) ? 2 : 0};
    if (skip_blanks(lx))
      return -1;
    if (!arm.dead && len == 2 && !at_line_end(lx) && lx->t[lx->p] == '0') {
      lx->p++;
      if (skip_blanks(lx))
        return -1;
      arm.dead = at_line_end(lx);
    }
    lx->arms[lx->n_arms++] = arm;
  } else if (top && word[1] == 'n') { /* endif */
    lx->n_arms--;
  } else if (top) { /* else, elif, elifdef, elifndef */
    top->branch = ++lx->last_branch;
    top->dead = top->dead == 2 ? 2 : 0;
  }
  return 0;
}

/* Behind the word `define`. */
static int read_define(Lexer *lx) {
  SimtSource *src = lx->src;
  if (skip_blanks(lx))
    return -1;
  SimtDefine d = {.name = lx->p};
  skip_name(lx);
  d.name_len = lx->p - d.name;
  d.function_like = lx->p < lx->end && lx->t[lx->p] == '(';
  while (d.function_like && !at_line_end(lx) && lx->t[lx->p] != ')') {
    lx->p++;
    if (skip_blanks(lx))
      return -1;
  }
  d.body = lx->p + (d.function_like && !at_line_end(lx));
  if (skip_to_line_end(lx))
    return -1;
  d.end = lx->p;
  if (is_dead(lx) || d.body > d.end)
    return 0;
  if (grow((void **)&src->defines, &src->cap_defines, src->n_defines, sizeof d))
    return -2;
  src->defines[src->n_defines++] = d;
  return 0;
}

/* Behind the word `include`. What macros make of it is not looked at. */
static int read_include(Lexer *lx) {
  SimtSource *src = lx->src;
  if (skip_blanks(lx))
    return -1;
  const char open = at_line_end(lx) ? '\0' : lx->t[lx->p], close = open == '<' ? '>' : open;
  SimtInclude i = {.at = lx->p};
  if (is_dead(lx) || (open != '<' && open != '"'))
    return 0;
  for (i.end = i.at + 1; i.end < lx->end && lx->t[i.end] != close && lx->t[i.end] != '\n';)
    i.end++;
  if (i.end == lx->end || lx->t[i.end++] != close)
    return 0;
  lx->p = i.end;
  if (grow((void **)&src->includes, &src->cap_includes, src->n_includes, sizeof i))
    return -2;
  src->includes[src->n_includes++] = i;
  return 0;
}

static int read_directive(Lexer *lx) {
  lx->p++;
  if (skip_blanks(lx))
    return -1;
  size_t start = lx->p;
  skip_name(lx);
  const char *word = lx->t + start;
  size_t len = lx->p - start;
  int rc = 0;
  if (len == 6 && memcmp(word, "define", 6) == 0)
    rc = read_define(lx);
  else if (len == 7 && memcmp(word, "include", 7) == 0)
    rc = read_include(lx);
  else if ((len >= 2 && memcmp(word, "if", 2) == 0) || (len >= 4 && memcmp(word, "el", 2) == 0) ||
           (len == 5 && memcmp(word, "endif", 5) == 0))
    rc = read_conditional(lx, word, len);
  return rc ? rc : skip_to_line_end(lx);
}

static int read_token(Lexer *lx) {
  SimtTok tok = {.off = lx->p, .glued = (uint8_t)lx->glued};
  int kind = skip_token(lx);
  if (kind < 0)
    return kind;
  lx->glued = 1;
  lx->line_start = 0;
  if (is_dead(lx))
    return 0;
  tok.kind = (uint8_t)kind;
  tok.len = lx->p - tok.off;
  tok.branch = lx->n_arms ? lx->arms[lx->n_arms - 1].branch : 0;
  if (grow((void **)&lx->toks->v, &lx->toks->cap, lx->toks->n, sizeof tok))
    return -2;
  lx->toks->v[lx->toks->n++] = tok;
  return 0;
}

/* At a comment outside directives. One behind code is about its own line, others about that of the code that follows. */
static int read_comment(Lexer *lx) {
  size_t start = lx->p;
  SimtSource *src = lx->src;
  SimtMeant meant;
  int rc = skip_comment(lx);
  if (rc || !src || is_dead(lx) || (rc = simt_meant_read(lx->t, start, lx->p, &meant)) == 0)
    return rc;
  if (rc < 0)
    return fail(lx, start, "race-ok wants a reason: // warpfuzz: race-ok: why the race is meant");
  if (grow((void **)&src->meant, &src->cap_meant, src->n_meant, sizeof meant))
    return -2;
  src->meant[src->n_meant++] = meant;
  lx->n_waiting = lx->line_start ? lx->n_waiting + 1 : 0;
  return 0;
}

static void settle_meant(Lexer *lx) {
  for (; lx->n_waiting; lx->n_waiting--)
    lx->src->meant[lx->src->n_meant - lx->n_waiting].at = lx->p;
}

static int lex_all(Lexer *lx) {
  int rc = 0;
  while (!rc && lx->p < lx->end) {
    size_t n = splice_len(lx->t, lx->p, lx->end);
    if (n) {
      lx->p += n;
    } else if (is_space(lx->t[lx->p]) || lx->t[lx->p] == '\n') {
      lx->glued = 0;
      lx->line_start |= lx->t[lx->p++] == '\n';
    } else if (is_comment(lx)) {
      lx->glued = 0;
      rc = read_comment(lx);
    } else if (lx->src && lx->line_start && lx->t[lx->p] == '#') {
      lx->glued = 0;
      rc = read_directive(lx);
    } else {
      settle_meant(lx);
      rc = read_token(lx);
    }
  }
  return rc;
}

int simt_lex_source(SimtSource *src) {
  Lexer lx = {.t = src->text, .end = src->len, .toks = &src->code, .src = src, .line_start = 1};
  int rc = lex_all(&lx);
  free(lx.arms);
  return rc;
}

void simt_source_free(SimtSource *src) {
  free(src->code.v);
  free(src->defines);
  free(src->includes);
  free(src->meant);
  src->code = (SimtToks){0};
  src->defines = NULL;
  src->includes = NULL;
  src->meant = NULL;
}

int simt_lex_body(const char *text, size_t lo, size_t hi, SimtToks *out) {
  Lexer lx = {.t = text, .p = lo, .end = hi, .toks = out};
  return lex_all(&lx);
}
