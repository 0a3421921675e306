/* case_dtypes.c - the types of a case's tensors as text: "f16", "x=f16,y=f32". */
#include "case.h"
#include <string.h>

static int fail(char *err, size_t err_size, const char *what, const char *s, size_t n) {
  char shown[61];
  size_t most = n < sizeof shown - 1 ? n : sizeof shown - 1;
  for (size_t i = 0; i < most; i++)
    shown[i] = s[i] < ' ' || s[i] > '~' ? '?' : s[i];
  shown[most] = '\0';
  if (err && err_size > 0)
    snprintf(err, err_size, "%s '%s'", what, shown);
  return -1;
}

static int find_tensor(const WfOp *op, const char *s, size_t n) {
  for (int t = 0; t < op->n_tensors; t++)
    if (strlen(op->tensors[t].name) == n && memcmp(op->tensors[t].name, s, n) == 0)
      return t;
  return -1;
}

static const char no_type[] = "a type is f32, f16 or bf16, not";

/* "x=f16" */
static int take_one(const WfOp *op, const char *s, size_t n, unsigned *seen, WfDtype *out, char *err, size_t err_size) {
  const char *equals = memchr(s, '=', n);
  if (!equals)
    return fail(err, err_size, "expected TENSOR=TYPE, not", s, n);
  size_t name = (size_t)(equals - s);
  int t = find_tensor(op, s, name);
  if (t < 0)
    return fail(err, err_size, "the op has no tensor", s, name);
  if (*seen >> t & 1)
    return fail(err, err_size, "given twice:", s, name);
  *seen |= 1u << t;
  return wf_dtype_parse(equals + 1, n - name - 1, &out[t]) == 0 ? 0 : fail(err, err_size, no_type, equals + 1, n - name - 1);
}

int wf_dtypes_parse(const WfOp *op, const char *text, size_t n, WfDtype out[WF_MAX_TENSORS], char *err, size_t err_size) {
  WfDtype all;
  unsigned seen = 0;
  if (!memchr(text, '=', n)) {
    if (wf_dtype_parse(text, n, &all) != 0)
      return fail(err, err_size, no_type, text, n);
    for (int t = 0; t < op->n_tensors; t++)
      out[t] = all;
    return 0;
  }
  for (const char *end = text + n, *next; text <= end; text = next + 1) {
    next = memchr(text, ',', (size_t)(end - text));
    next = next ? next : end;
    if (take_one(op, text, (size_t)(next - text), &seen, out, err, err_size) != 0)
      return -1;
  }
  return 0;
}

char *wf_dtypes_text(const WfOp *op, const WfDtype *dtype, char buf[WF_DTYPES_TEXT]) {
  size_t at = 0;
  int n_same = 1;
  buf[0] = '\0';
  while (n_same < op->n_tensors && dtype[n_same] == dtype[0])
    n_same++;
  if (n_same == op->n_tensors) {
    snprintf(buf, WF_DTYPES_TEXT, "%s", dtype[0] == WF_F32 ? "" : wf_dtype_name(dtype[0]));
    return buf;
  }
  for (int t = 0; t < op->n_tensors; t++)
    if (dtype[t] != WF_F32)
      at += (size_t)snprintf(buf + at, WF_DTYPES_TEXT - at, "%s%.40s=%s", at > 0 ? "," : "", op->tensors[t].name, wf_dtype_name(dtype[t]));
  return buf;
}
