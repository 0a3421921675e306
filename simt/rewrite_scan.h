/* rewrite_scan.h - finds what is to be rewritten; rewrite.c carries it out. All positions are byte offsets. */
#ifndef SIMT_REWRITE_SCAN_H
#define SIMT_REWRITE_SCAN_H
#include "rewrite_lex.h"

typedef enum SimtEditKind {
  SIMT_EDIT_TEXT,         /* [at, end) becomes `text` */
  SIMT_EDIT_OWN_TEXT,     /* the same; `own` is the edit's */
  SIMT_EDIT_LAUNCH,       /* EXPR<<<config>>>...; */
  SIMT_EDIT_LAUNCH_MACRO  /* EXPR CFG(config)...; the config range holds the macro's name too */
} SimtEditKind;

/*  at          open      config        config_end  close_end      end
 *  |           |         |             |           |              |
 *  kern<T>     <<<       g, b          >>>         (x, y)            end == close_end: arguments not taken in */
typedef struct SimtEdit {
  SimtEditKind kind;
  size_t at, end;
  const char *text;
  char *own;
  size_t open, config, config_end, close_end;
  int used; /* for the emitter */
} SimtEdit;

typedef struct SimtEdits {
  SimtEdit *v;
  size_t n, cap;
  const char *error; /* static text, or NULL */
  size_t error_at;
} SimtEdits;

/* Appends the edits of the whole source, in no particular order; they may nest (a launch in the arguments of another).
 * 0; -1: out->error is set; -2: out of memory. The caller calls
 * simt_edits_free() in any case. */
int simt_scan_source(const SimtSource *src, SimtEdits *out);
int simt_edit_add(SimtEdits *out, SimtEdit e); /* 0 or -2; e.own is taken over if 0 */
void simt_edits_free(SimtEdits *e);

/* rewrite_header.c: an #include of a header of CUDA's that the engine does not have becomes one that says so. `name` is the source's: a header
 * beside it is the user's own, and so is one in `dirs`, folders of -I, each with a newline behind it (NULL: none), unless it lies beside CUDA's runtime
 * there. 0 or -2. */
int simt_scan_headers(const SimtSource *src, const char *name, const char *dirs, SimtEdits *out);

#endif
