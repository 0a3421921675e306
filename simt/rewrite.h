/* rewrite.h - turns the things of CUDA source that are not C++ into C++: launch statements, `__shared__` beside another storage class,
 * and inline PTX (rewrite_asm.h). Everything else is copied byte for byte.
 *
 *   EXPR<<<G, B, S, ST>>>(ARGS)   ->  (::simt::configure(G, B, S, ST), EXPR(ARGS))
 *   EXPR<<<G, B>>>                ->  ::simt::configure(G, B), EXPR      (argument list not there, or cut by #if)
 *   EXPR CFG(G, B)(ARGS)          ->  (::simt::configure CFG(G, B), EXPR(ARGS))   with  #define CFG(g, b) <<<g, b>>>
 *                                     which becomes  #define CFG(g, b) (g, b)
 *   extern __shared__ T s[]       ->  extern __sharex__ T s[]            (any order; `static` likewise)
 *   #include <cufft.h>            ->  #include <cufft.h: this header ...>  of headers that the engine does not have: no file is called so, and
 *                                     compilers stop there
 *
 * Bodies of #define are rewritten as well; other directives but #include, `#if 0` groups, comments and literals are not. The result
 * has the lines of the source, after one #line directive; on each line, text in front of a change keeps its column. */
#ifndef SIMT_REWRITE_H
#define SIMT_REWRITE_H
#include <stddef.h>

/* Rewrites text[0..len). `name` goes into the #line directive and into messages. On success *out is malloc'ed,
 * NUL-terminated text of *out_len bytes.
 * 0; -1: the source cannot be rewritten, with "name:line: message" in err; -2: out of memory (message in err too). */
int simt_rewrite(const char *text, size_t len, const char *name, char **out, size_t *out_len, char *err,
                 size_t err_size);

/* The same, and where text has moved: in malloc'ed *moves (if moves is not NULL) a line
 * "NAME<tab>LINE<tab>COLUMN<tab>SOURCE LINE<tab>SOURCE COLUMN<tab>BYTES" for each piece of the source, within a line, that does not simply
 * begin its line as it did; by line and column of the result, which count from 1. dirs: where the compiler will seek headers, each folder with a
 * newline behind it, or NULL: a header in one of them is the user's own, whatever its name. */
int simt_rewrite_moves(const char *text, size_t len, const char *name, const char *dirs, char **out, size_t *out_len, char **moves, char *err,
                       size_t err_size);

/* Blanks what stands between the braces of a main() at file scope, so that lines and columns stay: another program will have a main(), and
 * whatever this one calls need not exist. Text that cannot be lexed stays as it is. 0; -2: out of memory. */
int simt_drop_main(char *text, size_t len);

/* The comments
 *   // warpfuzz: race-ok: REASON
 * of the source, on or above the line that they are about: its races are meant. One line "NAME<tab>LINE<tab>REASON" each,
 * in malloc'ed text. One without a reason is an error. Returns like simt_rewrite(). */
int simt_rewrite_meant(const char *text, size_t len, const char *name, char **out, char *err, size_t err_size);

#endif
