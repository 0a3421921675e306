/* rewrite_drop.c - takes the body out of main(): a file is compiled for one of its kernels, and what its main() calls need not exist. */
#include "rewrite.h"
#include "rewrite_expr.h"

/* The brace that opens main's body, at file scope; SIMT_NO_TOK: there is none from token i on. */
static size_t find_body(const SimtView *v, size_t i) {
  for (; i < v->n; i++) {
    if (simt_tok_is(v, i, "{")) {
      i = simt_bracket_close(v, i);
      if (i == SIMT_NO_TOK)
        return i;
    } else if (simt_tok_is(v, i, "main") && simt_tok_is(v, i + 1, "(")) {
      size_t close = simt_bracket_close(v, i + 1);
      if (close == SIMT_NO_TOK)
        return close;
      i = close;
      while (i + 1 < v->n && !simt_tok_is(v, i + 1, "{") && !simt_tok_is(v, i + 1, ";"))
        i++;
      if (simt_tok_is(v, i + 1, "{"))
        return i + 1;
    }
  }
  return SIMT_NO_TOK;
}

/* Lines and columns stay. A body that a #if cuts is left alone. */
static void blank_body(char *text, const SimtView *v, size_t open) {
  size_t close = simt_bracket_close(v, open);
  if (close == SIMT_NO_TOK || v->tok[close].branch != v->tok[open].branch)
    return;
  for (size_t at = v->tok[open].off + 1; at < v->tok[close].off; at++)
    if (text[at] != '\n')
      text[at] = ' ';
}

int simt_drop_main(char *text, size_t len) {
  SimtSource src = {.text = text, .len = len};
  int rc = simt_lex_source(&src);
  const SimtView v = {text, src.code.v, src.code.n};
  if (rc == 0)
    for (size_t open = find_body(&v, 0); open != SIMT_NO_TOK; open = find_body(&v, open + 1)) {
      blank_body(text, &v, open);
      open = simt_bracket_close(&v, open);
      if (open == SIMT_NO_TOK)
        break;
    }
  simt_source_free(&src);
  return rc == -2 ? -2 : 0;
}
