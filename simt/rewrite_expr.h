/* rewrite_expr.h - finding the ends of expressions among tokens, without types: what is in front of `<<<`, where its
 * `>>>` is, and matching brackets. Indices into the token list; SIMT_NO_TOK where there is none. */
#ifndef SIMT_REWRITE_EXPR_H
#define SIMT_REWRITE_EXPR_H
#include "rewrite_lex.h"

#define SIMT_NO_TOK ((size_t)-1)

typedef struct SimtView {
  const char *text;
  const SimtTok *tok;
  size_t n;
} SimtView;

int simt_tok_is(const SimtView *v, size_t i, const char *text); /* 0 for i >= n as well */
/* Number of glued tokens `text` from i on. */
size_t simt_tok_run(const SimtView *v, size_t i, const char *text);

size_t simt_bracket_close(const SimtView *v, size_t open); /* of ( [ { */
size_t simt_bracket_open(const SimtView *v, size_t close);

/* First token of the postfix expression that ends in front of token `end`: `ns::k<T>`, `(*fp)`, `table[i]`, `p->k`. */
size_t simt_callee_start(const SimtView *v, size_t end);
/* The first `>` of the `>>>` that ends the launch configuration beginning at token i. */
size_t simt_config_close(const SimtView *v, size_t i);

#endif
