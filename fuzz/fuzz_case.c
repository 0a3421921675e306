/* fuzz_case.c - libFuzzer target. One property: any bytes are either a case, whose canonical text reads back as the same case
 * and prints as the same text, or an error in one line, "NAME:LINE: message", with a line that the text has.
 *
 * Built with AddressSanitizer and UBSan; `make fuzz-parser` runs it a million times. */
#include "case.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define NAME "input"

/* Ends the run: libFuzzer saves the input. */
static void must(int holds, const char *what, const char *text) {
  if (holds) return;
  fprintf(stderr, "fuzz_case: %s:\n%s\n", what, text);
  abort();
}

static unsigned lines_of(const uint8_t *data, size_t size) {
  unsigned n = 1;
  for (size_t i = 0; i + 1 < size; i++) n += data[i] == '\n';
  return n;
}

static void check_error(const char *err, unsigned n_lines) {
  static const char head[] = NAME ":";
  must(strncmp(err, head, sizeof head - 1) == 0, "the error does not begin with the file's name", err);
  char *end = NULL;
  unsigned long line = strtoul(err + sizeof head - 1, &end, 10);
  must(line >= 1 && line <= n_lines, "the error names a line that is not there", err);
  must(strncmp(end, ": ", 2) == 0 && end[2] != '\0', "the error says nothing", err);
  for (const char *p = err; *p; p++) must(*p >= ' ' && *p <= '~', "the error is not one line of printable text", err);
}

/* The same message in less room: cut, nothing written past its end. */
static void check_room(const uint8_t *data, size_t size, const char *err) {
  size_t room = 1 + size % 48;
  char *small = malloc(room);
  WfCase c;
  if (!small) return;
  must(wf_case_parse(&c, (const char *)data, size, NAME, small, room) == -1, "an error only the first time", err);
  must(strlen(small) < room && strncmp(small, err, strlen(small)) == 0, "another error the second time", err);
  free(small);
}

static void check_same(const WfCase *a, const WfCase *b, const char *text) {
  must(a->op == b->op && a->variant == b->variant && a->expect == b->expect && a->n_edits == b->n_edits, "heads differ", text);
  must(memcmp(a->dim, b->dim, sizeof a->dim) == 0 && memcmp(a->scalar, b->scalar, sizeof a->scalar) == 0, "shapes differ", text);
  must(memcmp(a->grid, b->grid, sizeof a->grid) == 0 && memcmp(a->block, b->block, sizeof a->block) == 0 &&
           a->schedule == b->schedule && a->in_place == b->in_place,
       "launches differ", text);
  must(memcmp(a->fill, b->fill, sizeof a->fill) == 0, "values differ", text);
  for (uint32_t i = 0; i < a->n_edits; i++) {
    const WfEdit *e = &a->edits[i], *f = &b->edits[i];
    must(e->tensor == f->tensor && memcmp(e->sel, f->sel, sizeof e->sel) == 0 &&
             memcmp(&e->value, &f->value, sizeof e->value) == 0,
         "edits differ", text);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const uint8_t nothing[1] = {0};
  char err[512] = "";
  WfCase c, again;
  if (!data) data = nothing;
  if (wf_case_parse(&c, (const char *)data, size, NAME, err, sizeof err) != 0) {
    check_error(err, lines_of(data, size));
    check_room(data, size, err);
    return 0;
  }
  char *text = wf_case_print(&c);
  if (!text) return 0; /* no memory */
  must(wf_case_parse(&again, text, strlen(text), NAME, err, sizeof err) == 0, err, text);
  check_same(&c, &again, text);
  char *printed = wf_case_print(&again);
  must(printed && strcmp(printed, text) == 0, "the text read back prints as another", text);
  free(printed);
  free(text);
  return 0;
}
