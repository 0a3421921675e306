/* dtype.c - names of element types, and arrays of them. */
#include "dtype.h"
#include <math.h>

static const struct {
  const char *name, *c_name, *header;
} types[WF_DTYPE_COUNT] = {[WF_F32] = {"f32", "float", NULL},
                           [WF_F16] = {"f16", "__half", "cuda_fp16.h"},
                           [WF_BF16] = {"bf16", "__nv_bfloat16", "cuda_bf16.h"}};

const char *wf_dtype_name(WfDtype t) { return types[t].name; }
const char *wf_dtype_c_name(WfDtype t) { return types[t].c_name; }
const char *wf_dtype_header(WfDtype t) { return types[t].header; }

int wf_dtype_parse(const char *s, size_t n, WfDtype *out) {
  for (int t = 0; t < WF_DTYPE_COUNT; t++)
    if (strlen(types[t].name) == n && memcmp(types[t].name, s, n) == 0) {
      *out = (WfDtype)t;
      return 0;
    }
  return -1;
}

void wf_dtype_store(WfDtype t, void *to, const float *from, size_t n) {
  if (t == WF_F32 && n > 0)
    memcpy(to, from, n * sizeof *from);
  for (size_t i = 0; t != WF_F32 && i < n; i++) {
    uint16_t h = wf_dtype_encode(t, from[i]);
    memcpy((char *)to + i * sizeof h, &h, sizeof h);
  }
}

void wf_dtype_load(WfDtype t, float *to, const void *from, size_t n) {
  if (t == WF_F32 && n > 0)
    memcpy(to, from, n * sizeof *to);
  for (size_t i = 0; t != WF_F32 && i < n; i++) {
    uint16_t h;
    memcpy(&h, (const char *)from + i * sizeof h, sizeof h);
    to[i] = wf_dtype_decode(t, h);
  }
}

int wf_dtype_holds(WfDtype t, const float *x, size_t n) {
  for (size_t i = 0; t != WF_F32 && i < n; i++)
    if (x[i] == x[i] && (double)x[i] != wf_dtype_round(t, (double)x[i]))
      return 0;
  return 1;
}

double wf_dtype_rounding(WfDtype t, double v) {
  return t == WF_F32 || !isfinite(v) ? 0 : wf_dtype_spacing(t, v) / 2;
}
