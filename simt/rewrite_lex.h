/* rewrite_lex.h - CUDA source as tokens: enough of C++'s translation phases 1 to 3 to find launches, declarations. */
#ifndef SIMT_REWRITE_LEX_H
#define SIMT_REWRITE_LEX_H
#include <stddef.h>
#include <stdint.h>

typedef enum SimtTokKind { SIMT_TOK_NAME, SIMT_TOK_NUMBER, SIMT_TOK_LITERAL, SIMT_TOK_PUNCT } SimtTokKind;

/* '<' and '>' always come one by one (template lists and launches share them); glued tells runs from "< <". */
typedef struct SimtTok {
  size_t off, len; /* bytes in the text; a line splice inside a token counts */
  uint32_t branch; /* which arm of which #if it stands in; equal numbers: the same arm. 0: in none */
  uint8_t kind;    /* SimtTokKind */
  uint8_t glued;   /* nothing but line splices between it and the token in front */
} SimtTok;

typedef struct SimtToks {
  SimtTok *v;
  size_t n, cap;
} SimtToks;

/* One #define. */
typedef struct SimtDefine {
  size_t name, name_len; /* offset, bytes */
  size_t body, end;      /* offsets: after the name or parameter list; end of the directive, newline excluded */
  int function_like;
} SimtDefine;

/* The name of a header, with its quotes or brackets. */
typedef struct SimtInclude {
  size_t at, end; /* offsets */
} SimtInclude;

/* A comment that says why the races of a line are meant (rewrite.h). */
typedef struct SimtMeant {
  size_t at;                 /* offset in the line it is about */
  size_t reason, reason_len; /* offset, bytes */
} SimtMeant;

typedef struct SimtSource {
  const char *text;
  size_t len;
  SimtToks code; /* outside directives */
  SimtDefine *defines;
  size_t n_defines, cap_defines;
  SimtInclude *includes;
  size_t n_includes, cap_includes;
  SimtMeant *meant;
  size_t n_meant, cap_meant;
  const char *error; /* static text, or NULL */
  size_t error_at;   /* offset */
} SimtSource;

/* Lexes a file; `#if 0` groups give no tokens and no defines. src->text and src->len are set by the caller, the rest
 * zero. Unterminated string and character literals end with their line, as prose in skipped groups needs.
 * 0; -1: src->error is set; -2: out of memory. simt_source_free() in any case. */
int simt_lex_source(SimtSource *src);
void simt_source_free(SimtSource *src);

/* The comment t[p..end), its delimiters included: 1 and what it says of a race that is meant; 0: it is about something else;
 * -1: it gives no reason. */
int simt_meant_read(const char *t, size_t p, size_t end, SimtMeant *out);

/* Lexes text[lo..hi), the body of a define. 0 or -2; the caller frees out->v in any case. */
int simt_lex_body(const char *text, size_t lo, size_t hi, SimtToks *out);

#endif
