/* extent.c - extents of tensors from the dims of their op, and how outputs begin. */
#include "op.h"
#include <stdio.h>

enum { KIND = ~0xff }; /* the bits of an extent that tell WF_ONE, WF_VALID and WF_TIMES from the index of a dim */

int64_t wf_extent(const WfTensorDesc *t, int axis, const int64_t *dim) {
  int code = t->dim[axis], i = code >> 4 & 0xf, k = code & 0xf;
  int64_t n;
  switch (code & KIND) {
  case 0: return dim[code];
  case WF_ONE: return 1;
  case WF_VALID(0, 0): return dim[i] < dim[k] ? 0 : dim[i] - dim[k] + 1;
  case WF_TIMES(0, 0): return __builtin_mul_overflow(dim[i], dim[k], &n) ? -1 : n;
  }
  return -1;
}

WfStart wf_start_of(const WfVariant *v, const WfTensorDesc *t) { return v->flags & WF_UNZEROED ? WF_START_NOTHING : t->start; }

uint32_t wf_start_bits(const WfVariant *v, const WfOp *op, int tensor, uint32_t pattern) {
  static const uint32_t minus_inf[WF_DTYPE_COUNT] = {[WF_F32] = 0xff800000u, [WF_F16] = 0xfc00fc00u, [WF_BF16] = 0xff80ff80u};
  switch (wf_start_of(v, &op->tensors[tensor])) {
  case WF_START_NOTHING: return wf_dtype_pattern(v->dtype[tensor], pattern);
  case WF_START_ZERO: return 0;
  case WF_START_MINUS_INF: return minus_inf[v->dtype[tensor]];
  }
  return pattern;
}

char *wf_extent_text(const WfOp *op, const WfTensorDesc *t, int axis, char *buf) {
  int code = t->dim[axis], i = code >> 4 & 0xf, k = code & 0xf;
  switch (code & KIND) {
  case 0: snprintf(buf, WF_EXTENT_TEXT, "%.20s", op->dims[code].name); break;
  case WF_VALID(0, 0): snprintf(buf, WF_EXTENT_TEXT, "%.20s-%.20s+1", op->dims[i].name, op->dims[k].name); break;
  case WF_TIMES(0, 0): snprintf(buf, WF_EXTENT_TEXT, "%.20s*%.20s", op->dims[i].name, op->dims[k].name); break;
  default: snprintf(buf, WF_EXTENT_TEXT, "1"); break;
  }
  return buf;
}
