/* case_edit.c - the lines of a case that overwrite elements: x[2,0..31:4] = -inf */
#include "case_scan.h"
#include "number.h"
#include <string.h>

/* A number within [ ]: only its digits, so that "0..31" comes apart at the dots. */
static int bound(Scan *s, int64_t *out) {
  Token t = wf_scan_token(s, ".:,] *");
  uint64_t v;
  if (t.n == 0 && s->at < s->end)
    t.n = 1; /* name the character that stands where the number should */
  if (wf_scan_u64(s, t, (uint64_t)WF_MAX_EXTENT, &v))
    return -1;
  *out = (int64_t)v;
  return 0;
}

static int take_dots(Scan *s) {
  if (s->end - s->at < 2 || s->at[0] != '.' || s->at[1] != '.')
    return 0;
  s->at += 2;
  return 1;
}

/* '*' | first | first..last | first..*, then perhaps :step */
static int selection(Scan *s, WfSel *out) {
  WfSel sel = {0, INT64_MAX, 1};
  if (!wf_scan_take(s, '*')) {
    Token first = wf_scan_token(s, "");
    s->at = first.s;
    if (bound(s, &sel.first))
      return -1;
    sel.last = sel.first;
    if (take_dots(s)) {
      sel.last = INT64_MAX;
      if (!wf_scan_take(s, '*') && bound(s, &sel.last))
        return -1;
    }
    if (sel.last < sel.first)
      return wf_scan_fail(s, "the range is empty:", first);
  }
  Token step = {s->at, (size_t)(s->end - s->at)};
  if (wf_scan_take(s, ':') && bound(s, &sel.step))
    return -1;
  if (sel.step == 0)
    return wf_scan_fail(s, "the step must not be 0:", step);
  *out = sel;
  return 0;
}

static int expect(Scan *s, char c) {
  char message[] = "expected ' ', found";
  message[10] = c;
  if (wf_scan_take(s, c))
    return 0;
  return wf_scan_fail(s, message, wf_scan_token(s, ""));
}

int wf_scan_edit(Scan *s, WfCase *c, int tensor) {
  int rank = c->op->tensors[tensor].rank;
  WfEdit e = {.tensor = (uint8_t)tensor};
  Token whole = {s->at, (size_t)(s->end - s->at)};
  if (expect(s, '['))
    return -1;
  for (int i = 0; i < rank; i++)
    if ((i > 0 && expect(s, ',')) || selection(s, &e.sel[i]))
      return -1;
  if (expect(s, ']') || expect(s, '='))
    return -1;
  Token value = wf_scan_token(s, "");
  int r = wf_number_float(value.s, value.n, &e.value);
  if (r)
    return wf_scan_fail(s, r == WF_NUMBER_RANGE ? "outside the range of a float:" : "expected a number, found", value);
  if (wf_scan_rest_empty(s))
    return -1;
  if (c->n_edits == WF_MAX_EDITS)
    return wf_scan_fail(s, "more than 64 edits, at", whole);
  c->edits[c->n_edits++] = e;
  return 0;
}
