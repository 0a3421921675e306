/* emit_elements.c - what an emitted program knows of the types of its tensors: all of them float, or some of 16 bits. '@static' as in
 * emit_draw.c. */
#include "element.h"
#include "emit_impl.h"

int wf_emit_is_all_f32(const WfCase *c) {
  for (int t = 0; t < c->op->n_tensors; t++)
    if (c->dtype[t] != WF_F32)
      return 0;
  return 1;
}

/* ---- elements as bits: each in a uint32_t ---- */

static const char floats_text[] =
    "\n"
    "// All elements are floats.\n"
    "static int64_t size_of(int) { return 4; }\n"
    "@static uint32_t bits_of(int, float v) {\n"
    "  uint32_t bits;\n"
    "  memcpy(&bits, &v, sizeof bits);\n"
    "  return bits;\n"
    "}\n"
    "static float float_of(int, uint32_t bits) {\n"
    "  float v;\n"
    "  memcpy(&v, &bits, sizeof v);\n"
    "  return v;\n"
    "}\n"
    "static uint32_t pattern_of(int, uint32_t bits) { return bits; }\n"
    "static const uint32_t left[] = {poison_bits, 0x7f61b1e6u /* 3e38 */, 0xff61b1e6u /* -3e38 */, 0};\n";

static const char floats_copied_text[] =
    "\n"
    "static void upload(int t, int64_t i, const std::vector<uint32_t> &bits) {\n"
    "  if (!bits.empty()) check(cudaMemcpy(element(t, i), bits.data(), bits.size() * 4, cudaMemcpyHostToDevice), \"cudaMemcpy\");\n"
    "}\n"
    "\n"
    "static std::vector<uint32_t> download(int t, int64_t i, int64_t n) {\n"
    "  std::vector<uint32_t> bits(n);\n"
    "  if (n > 0) check(cudaMemcpy(bits.data(), element(t, i), n * 4, cudaMemcpyDeviceToHost), \"cudaMemcpy\");\n"
    "  return bits;\n"
    "}\n";

static const char floats_on_device_text[] =
    "\n"
    "static __device__ void store(void *to, int, int64_t i, uint32_t bits) { ((uint32_t *)to)[i] = bits; }\n"
    "static __device__ uint32_t load(const void *from, int, int64_t i) { return ((const uint32_t *)from)[i]; }\n";

/* The conversions are those of dtype.h, in whole numbers alone but for the subnormal ones of f16: so they are the same under -use_fast_math. */
static const char types_text[] =
    "\n"
    "static int64_t size_of(int t) { return type_of(t) == of_f32 ? 4 : 2; }\n"
    "@static uint32_t raw_bits(float v) {\n"
    "  uint32_t bits;\n"
    "  memcpy(&bits, &v, sizeof bits);\n"
    "  return bits;\n"
    "}\n"
    "@static float raw_float(uint32_t bits) {\n"
    "  float v;\n"
    "  memcpy(&v, &bits, sizeof v);\n"
    "  return v;\n"
    "}\n"
    "\n"
    "// The nearest number of the type, ties to even; of what is finite, a finite one.\n"
    "@static uint32_t bits_of(int t, float v) {\n"
    "  const Type type = type_of(t);\n"
    "  const uint32_t bits = raw_bits(v), sign = bits >> 16 & 0x8000, size = bits & 0x7fffffff;\n"
    "  const uint32_t infinity = type == of_f16 ? 0x7c00 : 0x7f80;\n"
    "  uint32_t nearest;\n"
    "  if (type == of_f32) return bits;\n"
    "  if (size > 0x7f800000) return type == of_f16 ? 0x7e00 : 0x7fc0; // NaN\n"
    "  if (size == 0x7f800000) return sign | infinity;\n"
    "  if (type == of_bf16)\n"
    "    nearest = (size + 0x7fff + (size >> 16 & 1)) >> 16;\n"
    "  else if (size < 0x38800000) // 2^-14: below it, multiples of 2^-24, as the places of a float at 0.5\n"
    "    nearest = raw_bits(raw_float(size) + 0.5f) - raw_bits(0.5f);\n"
    "  else\n"
    "    nearest = (size - 0x38000000 + 0xfff + (size >> 13 & 1)) >> 13;\n"
    "  return sign | (nearest < infinity ? nearest : infinity - 1);\n"
    "}\n"
    "\n"
    "@static float float_of(int t, uint32_t bits) {\n"
    "  const Type type = type_of(t);\n"
    "  const uint32_t sign = bits << 16 & 0x80000000u, size = bits & 0x7fff;\n"
    "  if (type == of_f32) return raw_float(bits);\n"
    "  if (type == of_bf16) return raw_float(bits << 16);\n"
    "  if (size < 0x400) return raw_float(sign | raw_bits((float)size * 0x1p-24f));\n"
    "  return raw_float(sign | ((size << 13) + (size < 0x7c00 ? 0x38000000u : 0x70000000u)));\n"
    "}\n"
    "\n"
    "// An element of memory that is full of poison_bits, guard_bits and the like.\n"
    "static uint32_t pattern_of(int t, uint32_t bits) { return type_of(t) == of_f32 ? bits : 0x7f00 | (bits & 0xff); }\n";

static const char types_left_text[] =
    "\n"
    "static const uint32_t left[] = {0x7fad7fadu /* NaN of all types */, 0x7f61b1e6u /* 3e38 */, 0xff61b1e6u /* -3e38 */,\n"
    "                                0x7bff7bffu /* 65504 as f16 */, 0xfbfffbffu /* -65504 */, 0};\n";

static const char types_copied_text[] =
    "\n"
    "static void upload(int t, int64_t i, const std::vector<uint32_t> &bits) {\n"
    "  const std::vector<uint16_t> halves(bits.begin(), bits.end());\n"
    "  const void *from = size_of(t) == 2 ? (const void *)halves.data() : (const void *)bits.data();\n"
    "  if (!bits.empty()) check(cudaMemcpy(element(t, i), from, bits.size() * size_of(t), cudaMemcpyHostToDevice), \"cudaMemcpy\");\n"
    "}\n"
    "\n"
    "static std::vector<uint32_t> download(int t, int64_t i, int64_t n) {\n"
    "  std::vector<uint32_t> bits(n);\n"
    "  std::vector<uint16_t> halves(n);\n"
    "  void *to = size_of(t) == 2 ? (void *)halves.data() : (void *)bits.data();\n"
    "  if (n > 0) check(cudaMemcpy(to, element(t, i), n * size_of(t), cudaMemcpyDeviceToHost), \"cudaMemcpy\");\n"
    "  return size_of(t) == 2 ? std::vector<uint32_t>(halves.begin(), halves.end()) : bits;\n"
    "}\n";

static const char types_on_device_text[] =
    "\n"
    "static __device__ void store(void *to, int t, int64_t i, uint32_t bits) {\n"
    "  if (type_of(t) == of_f32)\n"
    "    ((uint32_t *)to)[i] = bits;\n"
    "  else\n"
    "    ((uint16_t *)to)[i] = (uint16_t)bits;\n"
    "}\n"
    "static __device__ uint32_t load(const void *from, int t, int64_t i) {\n"
    "  return type_of(t) == of_f32 ? ((const uint32_t *)from)[i] : ((const uint16_t *)from)[i];\n"
    "}\n";

static void add_types(WfText *t, const WfCase *c, int on_device) {
  wf_text_add(t, "\nenum Type { of_f32, of_f16, of_bf16 }; // float, __half, __nv_bfloat16\n");
  wf_emit_functions(t, "@static Type type_of(int t) {\n  switch (t) {\n", on_device);
  for (int k = 0; k < c->op->n_tensors; k++)
    if (c->dtype[k] != WF_F32)
      wf_text_add(t, "  case %d: return of_%s; // %s\n", k, wf_dtype_name(c->dtype[k]), c->op->tensors[k].name);
  wf_text_add(t, "  }\n  return of_f32;\n}\n");
}

void wf_emit_elements(WfText *t, const WfCase *c) {
  int on_device = wf_emit_is_large(c);
  if (wf_emit_is_all_f32(c))
    return;
  add_types(t, c, on_device);
  wf_emit_functions(t, types_text, on_device);
}

void wf_emit_floats(WfText *t, const WfCase *c) {
  if (wf_emit_is_all_f32(c))
    wf_emit_functions(t, floats_text, wf_emit_is_large(c));
  else
    wf_text_add(t, "%s", types_left_text);
}

void wf_emit_copies(WfText *t, const WfCase *c) {
  int is_all_f32 = wf_emit_is_all_f32(c);
  wf_text_add(t, "%s", is_all_f32 ? floats_copied_text : types_copied_text);
  if (wf_emit_is_large(c))
    wf_text_add(t, "%s", is_all_f32 ? floats_on_device_text : types_on_device_text);
}

/* ---- what is expected of an element ---- */

static const char expected_f32_text[] =
    "// From a reference in double precision. bound: the absolute error that any correct float kernel stays within.\n"
    "struct Expected {\n"
    "  int64_t i; // element of the output\n"
    "  double value, bound;\n"
    "};\n";

static const char expected_stored_text[] =
    "// From a reference in double precision. low, high: the least and the largest result that a correct kernel can store.\n"
    "struct Expected {\n"
    "  int64_t i; // element of the output\n"
    "  double value, low, high;\n"
    "};\n";

static const char right_f32_text[] =
    "\n"
    "// NaN and infinities must be where the reference, rounded to float, has them; all else within the bound.\n"
    "static bool is_right(float got, const Expected &want) {\n"
    "  if (isnan(got) || isnan(want.value)) return isnan(got) && isnan(want.value);\n"
    "  if (isinf(want.value)) return got == want.value;\n"
    "  if (isinf(got)) return (got > 0) == (want.value > 0) && isinf((float)(fabs(want.value) + want.bound));\n"
    "  return fabs(got - want.value) <= want.bound;\n"
    "}\n"
    "\n"
    "static void print_wrong(float got, const Expected &want) {\n"
    "  printf(\": expected %.9g (%a), got %.9g (%a), bound %.3g\\n\", want.value, want.value, got, got, want.bound);\n"
    "}\n";

static const char right_stored_text[] =
    "\n"
    "// NaN must be where the reference has it; infinities may only be where low or high is one.\n"
    "static bool is_right(float got, const Expected &want) {\n"
    "  return isnan(want.value) ? isnan(got) : got >= want.low && got <= want.high;\n"
    "}\n"
    "\n"
    "static void print_wrong(float got, const Expected &want) {\n"
    "  printf(\": expected %.9g (%a), got %.9g (%a), right is %.9g to %.9g\\n\", want.value, want.value, got, got, want.low, want.high);\n"
    "}\n";

static int stores_f32(const WfCase *c) { return c->dtype[wf_output_tensor(c->op)] == WF_F32; }

void wf_emit_expected_head(WfText *t, const WfCase *c) {
  wf_text_add(t, "%s", stores_f32(c) ? expected_f32_text : expected_stored_text);
}

void wf_emit_right(WfText *t, const WfCase *c) { wf_text_add(t, "%s", stores_f32(c) ? right_f32_text : right_stored_text); }
