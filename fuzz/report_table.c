/* report_table.c - tables on standard output. */
#define _POSIX_C_SOURCE 200809L
#include "device_shows.h"
#include "report_table.h"
#include <stdlib.h>
#include <string.h>

enum {
  COLUMNS = 4,
  MAX_COLUMNS = 1 + WF_SITUATION_COUNT > COLUMNS ? 1 + WF_SITUATION_COUNT : COLUMNS,
  HEAD_ROWS = 2 /* of the table of situations: "partial-" over "warp" */
};

static size_t column_width(const char *const *cells, size_t n_rows, size_t n_columns, size_t column) {
  size_t width = 0;
  for (size_t i = 0; i < n_rows; i++) {
    size_t len = strlen(cells[i * n_columns + column]);
    if (len > width) width = len;
  }
  return width;
}

enum { INDENT = 4 }; /* of what stands below a first column's line */

typedef struct Table {
  FILE *out;
  const char *const *cells;
  size_t n_rows, n_columns, n_left;
  size_t width[MAX_COLUMNS];
} Table;

/* The part of a text that fits: up to a comma, or all of it where there is none. */
static size_t fitting_length(const char *text, size_t room) {
  size_t len = strlen(text);
  if (len <= room) return len;
  size_t n = room;
  while (n && text[n - 1] != ',') n--;
  return n ? n : strcspn(text, ",") + (strchr(text, ',') != NULL);
}

static void print_last(const Table *t, const char *cell, size_t at) {
  size_t n = fitting_length(cell, at < WF_TABLE_WIDTH ? WF_TABLE_WIDTH - at : 0);
  fprintf(t->out, "%.*s\n", (int)n, cell);
  for (cell += n; *cell; cell += n) {
    cell += strspn(cell, " ");
    n = fitting_length(cell, at < WF_TABLE_WIDTH ? WF_TABLE_WIDTH - at : 0);
    fprintf(t->out, "%*s%.*s\n", (int)at, "", (int)n, cell);
  }
}

/* The columns from `from` on, the first of them at `at`. */
static void print_cells_from(const Table *t, size_t row, size_t from, size_t at) {
  for (size_t k = from; k < t->n_columns; k++) {
    const char *cell = t->cells[row * t->n_columns + k];
    int width = (int)t->width[k], is_last = k + 1 == t->n_columns;
    if (k >= t->n_left)
      fprintf(t->out, "%*s%s", width, cell, is_last ? "\n" : "  ");
    else if (is_last)
      print_last(t, cell, at);
    else
      fprintf(t->out, "%-*s  ", width, cell);
    at += t->width[k] + 2;
  }
}

void wf_table_print(FILE *out, const char *const *cells, size_t n_rows, size_t n_columns, size_t n_left) {
  Table t = {out, cells, n_rows, n_columns, n_left, {0}};
  size_t all = 2 * (n_columns - 1);
  for (size_t k = 0; k < n_columns; k++) all += t.width[k] = column_width(cells, n_rows, n_columns, k);
  for (size_t r = 0; r < n_rows; r++) {
    if (all <= WF_TABLE_WIDTH) {
      print_cells_from(&t, r, 0, 0);
      continue;
    }
    const char *first = cells[r * n_columns];
    fprintf(out, "%s%s%*s", first, *first ? "\n" : "", INDENT, "");
    print_cells_from(&t, r, 1, INDENT);
  }
}

static uint32_t set_of(const uint64_t counts[SIMT_CLASS_COUNT]) {
  uint32_t set = 0;
  for (unsigned i = 0; i < SIMT_CLASS_COUNT; i++) set |= (uint32_t)(counts[i] != 0) << i;
  return set;
}

uint32_t wf_row_errors(const WfRow *row) { return set_of(row->errors); }

uint32_t wf_row_warnings(const WfRow *row) { return set_of(row->warnings); }

/* Those found, as BEFORE class AFTER. */
static void print_classes(FILE *f, const uint64_t found[SIMT_CLASS_COUNT], int counts, const char *before,
                          const char *after) {
  for (unsigned i = 0; i < SIMT_CLASS_COUNT; i++) {
    if (!found[i]) continue;
    fprintf(f, "%s%s%s%s", ftell(f) > 0 ? ", " : "", before, simt_class_name((SimtClass)i), after);
    if (counts) fprintf(f, " x %llu", (unsigned long long)found[i]);
  }
}

char *wf_classes_text(const WfRow *row, int counts) {
  char *text = NULL;
  size_t len;
  FILE *f = open_memstream(&text, &len);
  if (!f) return NULL;
  print_classes(f, row->errors, counts, "", "");
  print_classes(f, row->warnings, counts, "(", ")");
  print_classes(f, row->listed, counts, "known ", "");
  print_classes(f, row->outside_classes, counts, "outside ", "");
  print_classes(f, row->meant, counts, "meant ", "");
  if (row->no_verdict) fprintf(f, "%sno verdict", ftell(f) > 0 ? ", " : "");
  if (row->no_verdict && counts) fprintf(f, " x %llu", (unsigned long long)row->no_verdict);
  if (ftell(f) == 0) fputc('-', f);
  if (fclose(f) == 0) return text;
  free(text);
  return NULL;
}

/* On a device: what shows instead of a class that the entry names. */
static int was_caught(const WfRow *row) {
  uint32_t listed = set_of(row->listed), errors = wf_row_errors(row) | listed, expect = row->target.variant->expect;
  if (row->on_device && (errors & (expect | wf_device_may_show(expect)))) return 1;
  return wf_variant_caught(row->target.variant, errors, wf_row_warnings(row) | listed);
}

/* May a device show nothing of it? */
static int may_be_missed(const WfRow *row) {
  if (!row->on_device || wf_row_errors(row)) return 0;
  for (unsigned c = 0; c < SIMT_CLASS_COUNT; c++)
    if (row->target.variant->expect >> c & 1 && wf_device_misses((SimtClass)c)) return 1;
  return row->target.variant->flags & WF_EXPECT_WARNING;
}

const char *wf_row_verdict(const WfRow *row) {
  uint32_t errors = wf_row_errors(row), warnings = wf_row_warnings(row);
  if (row->executions == 0) return "not run";
  if (row->target.variant->expect) return was_caught(row) ? "caught" : may_be_missed(row) ? "not shown" : "MISSED";
  if (errors) return "FINDING";
  if (row->no_verdict == row->executions) return "no verdict";
  return warnings ? "warning" : set_of(row->listed) ? "known" : "clean";
}

int wf_row_as_expected(const WfRow *row, int strict) {
  uint32_t errors = wf_row_errors(row), warnings = wf_row_warnings(row);
  if (row->target.variant->expect) return was_caught(row) || may_be_missed(row);
  return errors == 0 && !(strict && warnings);
}

/* ---- the tables of a campaign ---- */

static char *number_text(uint64_t n) {
  char text[24];
  snprintf(text, sizeof text, "%llu", (unsigned long long)n);
  return strdup(text);
}

static char *name_text(const WfRow *row) {
  char name[WF_NAME_MAX];
  wf_target_name(&row->target, name);
  return strdup(name);
}

/* All cells are malloc'ed; those not reached yet are NULL. 0 or -1: no memory. */
typedef int FillCells(const WfRow *rows, size_t n, char **cells);

static int print_cells(FILE *out, const WfRow *rows, size_t n, FillCells *fill, size_t n_rows, size_t n_columns,
                       size_t n_left) {
  char **cells = calloc(n_rows * n_columns, sizeof *cells);
  if (!cells) return -1;
  int rc = fill(rows, n, cells);
  if (rc == 0) wf_table_print(out, (const char *const *)cells, n_rows, n_columns, n_left);
  for (size_t i = 0; i < n_rows * n_columns; i++) free(cells[i]);
  free(cells);
  return rc;
}

static int fill_verdicts(const WfRow *rows, size_t n, char **cells) {
  static const char *const head[COLUMNS] = {"variant", "verdict", "executions", "classes"};
  for (size_t k = 0; k < COLUMNS; k++)
    if (!(cells[k] = strdup(head[k]))) return -1;
  for (size_t i = 0; i < n; i++) {
    char **cell = cells + COLUMNS * (i + 1);
    cell[0] = name_text(&rows[i]);
    cell[1] = strdup(wf_row_verdict(&rows[i]));
    cell[2] = number_text(rows[i].executions);
    cell[3] = wf_classes_text(&rows[i], 1);
    if (!cell[0] || !cell[1] || !cell[2] || !cell[3]) return -1;
  }
  return 0;
}

/* The situations that a row of the table has been in, or could be. */
typedef struct Shown {
  int situation[WF_SITUATION_COUNT];
  size_t n;
  uint32_t *allowed; /* by row */
} Shown;

/* Names are broken after "-" or ">". */
static int fill_situation_head(const Shown *s, char **upper, char **lower) {
  upper[0] = strdup("executions by situation");
  lower[0] = strdup("");
  for (size_t k = 0; k < s->n; k++) {
    const char *name = wf_situation_name((WfSituation)s->situation[k]);
    size_t at = strcspn(name, "->");
    at += name[at] != '\0';
    upper[1 + k] = strndup(name, at);
    lower[1 + k] = strdup(name + at);
  }
  for (size_t k = 0; k < 1 + s->n; k++)
    if (!upper[k] || !lower[k]) return -1;
  return 0;
}

static int fill_situations(const Shown *s, const WfRow *rows, size_t n, char **cells) {
  const size_t columns = 1 + s->n;
  if (fill_situation_head(s, cells, cells + columns) != 0) return -1;
  for (size_t i = 0; i < n; i++) {
    char **cell = cells + columns * (HEAD_ROWS + i);
    if (!(cell[0] = name_text(&rows[i]))) return -1;
    for (size_t k = 0; k < s->n; k++) {
      uint64_t count = rows[i].situations[s->situation[k]];
      cell[1 + k] = count || s->allowed[i] >> s->situation[k] & 1 ? number_text(count) : strdup("-");
      if (!cell[1 + k]) return -1;
    }
  }
  return 0;
}

static int choose_situations(Shown *s, const WfRow *rows, size_t n) {
  uint32_t shown = 0;
  *s = (Shown){.allowed = calloc(n ? n : 1, sizeof *s->allowed)};
  if (!s->allowed) return -1;
  for (size_t i = 0; i < n; i++) {
    shown |= s->allowed[i] = wf_situations_allowed(rows[i].target.op, rows[i].target.variant);
    for (int k = 0; k < WF_SITUATION_COUNT; k++) shown |= rows[i].situations[k] ? 1u << k : 0;
  }
  for (int k = 0; k < WF_SITUATION_COUNT; k++)
    if (shown >> k & 1) s->situation[s->n++] = k;
  return 0;
}

static int print_situations(FILE *out, const WfRow *rows, size_t n) {
  Shown s;
  if (choose_situations(&s, rows, n) != 0) return -1;
  const size_t n_rows = HEAD_ROWS + n, n_columns = 1 + s.n;
  char **cells = calloc(n_rows * n_columns, sizeof *cells);
  int rc = cells ? fill_situations(&s, rows, n, cells) : -1;
  if (rc == 0) wf_table_print(out, (const char *const *)cells, n_rows, n_columns, 1);
  for (size_t i = 0; cells && i < n_rows * n_columns; i++) free(cells[i]);
  free(cells);
  free(s.allowed);
  return rc;
}

int wf_report_rows(FILE *out, const WfRow *rows, size_t n) {
  int rc = print_cells(out, rows, n, fill_verdicts, 1 + n, COLUMNS, COLUMNS);
  if (rc != 0) return rc;
  fputc('\n', out);
  return print_situations(out, rows, n);
}
