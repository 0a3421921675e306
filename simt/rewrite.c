/* rewrite.c - carries out what rewrite_scan.c found. A launch is put together from the pieces of its text in another
 * order, each rewritten in turn, so that no newline is lost. */
#include "rewrite.h"
#include "rewrite_scan.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Buffer {
  char *text;
  size_t len, cap;
} Buffer;

typedef struct Emit {
  const char *text;
  SimtEdit *edits; /* by start, outer ones first */
  size_t n_edits;
  Buffer out, moves; /* moves: see simt_rewrite_moves(); only with `name` */
  const char *name;
  size_t line, line_start; /* of what is put next, and where in the output it begins */
  int failed; /* out of memory */
} Emit;

static void append(Emit *e, Buffer *b, const char *text, size_t len) {
  if (e->failed)
    return;
  if (b->len + len + 1 > b->cap) {
    size_t cap = (b->len + len + 1) * 2;
    char *more = realloc(b->text, cap);
    if (!more) {
      e->failed = 1;
      return;
    }
    b->text = more;
    b->cap = cap;
  }
  memcpy(b->text + b->len, text, len);
  b->len += len;
  b->text[b->len] = '\0';
}

static void put(Emit *e, const char *text, size_t len) {
  for (size_t i = 0; i < len; i++)
    if (text[i] == '\n') {
      e->line++;
      e->line_start = e->out.len + i + 1;
    }
  append(e, &e->out, text, len);
}

static void put_text(Emit *e, const char *text) { put(e, text, strlen(text)); }

static size_t line_of(const char *text, size_t at) {
  size_t line = 1;
  for (size_t i = 0; i < at; i++)
    line += text[i] == '\n';
  return line;
}

static size_t column_of(const char *text, size_t at) {
  size_t column = 1;
  while (at > 0 && text[at - 1] != '\n') at--, column++;
  return column;
}

/* Notes where the source's [lo, hi) gets to, line by line, but for what begins a line in both. */
static void note_moves(Emit *e, size_t lo, size_t hi) {
  size_t line = e->line, column = e->out.len - e->line_start + 1;
  for (size_t end; e->name && lo < hi; lo = end, line++, column = 1) {
    const char *newline = memchr(e->text + lo, '\n', hi - lo);
    char numbers[128];
    end = newline ? (size_t)(newline - e->text) + 1 : hi;
    if (column == 1 && (lo == 0 || e->text[lo - 1] == '\n') && line == line_of(e->text, lo))
      continue;
    snprintf(numbers, sizeof numbers, "\t%zu\t%zu\t%zu\t%zu\t%zu\n", line, column, line_of(e->text, lo), column_of(e->text, lo), end - lo);
    append(e, &e->moves, e->name, strlen(e->name));
    append(e, &e->moves, numbers, strlen(numbers));
  }
}

static void put_source(Emit *e, size_t lo, size_t hi) {
  note_moves(e, lo, hi);
  put(e, e->text + lo, hi - lo);
}

static int by_start(const void *pa, const void *pb) {
  const SimtEdit *a = pa, *b = pb;
  if (a->at != b->at)
    return a->at < b->at ? -1 : 1;
  return a->end > b->end ? -1 : a->end < b->end;
}

/* The first edit within [lo, hi) that is not done yet, or NULL. One that sticks out (`k<<<1, 2>>>(x)<<<3, 4>>>(y)`) is
 * dropped: compilers have the better message. */
static SimtEdit *next_edit(Emit *e, size_t lo, size_t hi) {
  size_t first = 0, last = e->n_edits;
  while (first < last) {
    size_t mid = first + (last - first) / 2;
    if (e->edits[mid].at < lo)
      first = mid + 1;
    else
      last = mid;
  }
  for (; first < e->n_edits && e->edits[first].at < hi; first++) {
    SimtEdit *edit = &e->edits[first];
    if (!edit->used && edit->end <= hi)
      return edit;
  }
  return NULL;
}

static void put_range(Emit *e, size_t lo, size_t hi);

/* Newlines of line splices within what is dropped. */
static void put_splices(Emit *e, size_t lo, size_t hi) {
  for (; lo < hi; lo++) {
    if (e->text[lo] == '\n')
      put_text(e, "\\\n");
  }
}

static void put_launch(Emit *e, const SimtEdit *l) {
  int whole = l->end > l->close_end, macro = l->kind == SIMT_EDIT_LAUNCH_MACRO;
  put_text(e, whole ? "(" : "");
  put_text(e, macro ? "::simt::configure " : "::simt::configure(");
  put_splices(e, l->open, l->config);
  put_range(e, l->config, l->config_end);
  put_splices(e, l->config_end, l->close_end);
  put_text(e, macro ? ", " : "), ");
  put_range(e, l->at, l->open);
  put_range(e, l->close_end, l->end);
  put_text(e, whole ? ")" : "");
}

static void put_replacement(Emit *e, const SimtEdit *edit) {
  put_text(e, edit->kind == SIMT_EDIT_OWN_TEXT ? edit->own : edit->text);
  put_splices(e, edit->at, edit->end);
}

static void put_range(Emit *e, size_t lo, size_t hi) {
  for (SimtEdit *edit; (edit = next_edit(e, lo, hi)) != NULL;) {
    put_source(e, lo, edit->at);
    edit->used = 1;
    if (edit->kind == SIMT_EDIT_TEXT || edit->kind == SIMT_EDIT_OWN_TEXT)
      put_replacement(e, edit);
    else
      put_launch(e, edit);
    lo = edit->end;
  }
  put_source(e, lo, hi);
}

static void put_line_directive(Emit *e, const char *name) {
  put_text(e, "#line 1 \"");
  for (; *name; name++) {
    if (*name == '"' || *name == '\\')
      put(e, "\\", 1);
    put(e, name, 1);
  }
  put_text(e, "\"\n");
}

/* A byte order mark would no longer be at the start. */
static size_t mark_len(const char *text, size_t len) {
  return len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/* moves: NULL, or what becomes of simt_rewrite_moves(). */
static int emit(const SimtSource *src, const SimtEdits *edits, const char *name, char **out, size_t *out_len, char **moves) {
  Emit e = {.text = src->text, .edits = edits->v, .n_edits = edits->n, .name = moves ? name : NULL};
  if (e.n_edits)
    qsort(e.edits, e.n_edits, sizeof *e.edits, by_start);
  put_line_directive(&e, name);
  e.line = 1; /* as it says */
  append(&e, &e.moves, "", 0);
  put_range(&e, 0, src->len);
  if (e.failed || !moves) {
    free(e.moves.text);
    e.moves.text = NULL;
  }
  if (e.failed) {
    free(e.out.text);
    return -2;
  }
  *out = e.out.text;
  *out_len = e.out.len;
  if (moves)
    *moves = e.moves.text;
  return 0;
}

/* Says what failed; rc is returned. */
static int explain(int rc, const SimtSource *src, const SimtEdits *edits, const char *name, char *err, size_t err_size) {
  if (rc == -1) {
    const char *message = src->error ? src->error : edits->error;
    snprintf(err, err_size, "%s:%zu: %s", name, line_of(src->text, src->error ? src->error_at : edits->error_at), message);
  } else if (rc == -2) {
    snprintf(err, err_size, "%s: out of memory", name);
  }
  return rc;
}

int simt_rewrite(const char *text, size_t len, const char *name, char **out, size_t *out_len, char *err,
                 size_t err_size) {
  return simt_rewrite_moves(text, len, name, NULL, out, out_len, NULL, err, err_size);
}

int simt_rewrite_moves(const char *text, size_t len, const char *name, const char *dirs, char **out, size_t *out_len, char **moves, char *err,
                       size_t err_size) {
  size_t mark = mark_len(text, len);
  SimtSource src = {.text = text + mark, .len = len - mark};
  SimtEdits edits = {0};
  int rc = simt_lex_source(&src);
  if (!rc)
    rc = simt_scan_source(&src, &edits);
  if (!rc)
    rc = simt_scan_headers(&src, name, dirs, &edits);
  if (!rc)
    rc = emit(&src, &edits, name, out, out_len, moves);
  explain(rc, &src, &edits, name, err, err_size);
  simt_edits_free(&edits);
  simt_source_free(&src);
  return rc;
}

int simt_rewrite_meant(const char *text, size_t len, const char *name, char **out, char *err, size_t err_size) {
  size_t mark = mark_len(text, len);
  SimtSource src = {.text = text + mark, .len = len - mark};
  SimtEdits none = {0};
  Emit e = {0};
  int rc = simt_lex_source(&src);
  put_text(&e, "");
  for (size_t i = 0; !rc && i < src.n_meant; i++) {
    char line[32];
    snprintf(line, sizeof line, "\t%zu\t", line_of(src.text, src.meant[i].at));
    put_text(&e, name);
    put_text(&e, line);
    put(&e, src.text + src.meant[i].reason, src.meant[i].reason_len);
    put_text(&e, "\n");
  }
  if (!rc && e.failed)
    rc = -2;
  explain(rc, &src, &none, name, err, err_size);
  simt_source_free(&src);
  if (rc)
    free(e.out.text);
  else
    *out = e.out.text;
  return rc;
}
