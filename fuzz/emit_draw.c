/* emit_draw.c - the generator of values.c as C++ for an emitted program, cut down to the distributions that it has. '@' stands for
 * what makes a function one of the device as well. */
#include "emit_impl.h"
#include "value.h"
#include <string.h>

static const char philox_text[] =
    "// Philox4x32-10 (Salmon et al., \"Parallel random numbers: as easy as 1, 2, 3\", SC 2011): 128 random bits for each counter.\n"
    "struct Bits {\n"
    "  uint32_t v[4];\n"
    "};\n"
    "@static Bits philox(uint64_t seed, uint32_t tensor, uint64_t i) {\n"
    "  Bits c = {{(uint32_t)i, (uint32_t)(i >> 32), tensor, 0}};\n"
    "  uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);\n"
    "  for (int round = 0; round < 10; round++, k0 += 0x9e3779b9u, k1 += 0xbb67ae85u) {\n"
    "    const uint64_t p0 = 0xd2511f53ull * c.v[0], p1 = 0xcd9e8d57ull * c.v[2];\n"
    "    const Bits next = {{(uint32_t)(p1 >> 32) ^ c.v[1] ^ k0, (uint32_t)p1, (uint32_t)(p0 >> 32) ^ c.v[3] ^ k1, (uint32_t)p0}};\n"
    "    c = next;\n"
    "  }\n"
    "  return c;\n"
    "}\n";

static const char to_float_text[] =
    "\n"
    "@static float to_float(double v) {\n"
    "  v = v > FLT_MAX ? FLT_MAX : v < -FLT_MAX ? -FLT_MAX : v;\n";

static const char to_float_host_text[] =
    "  return (float)v;\n"
    "}\n";

static const char to_float_device_text[] =
    "#ifdef __CUDA_ARCH__\n"
    "  float f;\n"
    "  asm(\"cvt.rn.f32.f64 %0, %1;\" : \"=f\"(f) : \"d\"(v)); // keeps subnormals under -use_fast_math too\n"
    "  return f;\n"
    "#else\n"
    "  return (float)v;\n"
    "#endif\n"
    "}\n";

static const char normal_text[] =
    "\n"
    "// Nearly normal: the sum of eight uniforms, scaled to variance 1.\n"
    "@static double normal(Bits b) {\n"
    "  int64_t sum = 0;\n"
    "  for (int i = 0; i < 4; i++) sum += (int64_t)(b.v[i] & 0xffff) + (b.v[i] >> 16);\n"
    "  return (double)((sum - 4 * 65535) * 1254) * 0x1p-26;\n"
    "}\n";

static const char uniform_text[] =
    "\n"
    "// In (-1, 1).\n"
    "@static double uniform(Bits b) { return (double)((int64_t)(b.v[0] >> 8) * 2 + 1 - (1 << 24)) * 0x1p-24; }\n";

static const char huge_text[] =
    "\n"
    "// Of either sign and magnitude 80 to 10,000, half of them below 160.\n"
    "@static double huge(Bits b) {\n"
    "  const int octave = b.v[0] & 1 ? 0 : (int)((uint64_t)b.v[1] * 7 >> 32);\n"
    "  int64_t m = (80 * (0x10000 + (int64_t)(b.v[2] >> 16))) << octave;\n"
    "  m = m > (int64_t)10000 << 16 ? (int64_t)10000 << 16 : m;\n"
    "  return (double)(b.v[0] & 2 ? -m : m) * 0x1p-16;\n"
    "}\n";

static const char integer_text[] =
    "\n"
    "// An integer of -n to n.\n"
    "@static double integer(Bits b, int64_t n) { return (double)((int64_t)((uint64_t)b.v[0] * ((uint64_t)n * 2 + 1) >> 32) - n); }\n";

static const char hash_text[] =
    "\n"
    "// A fraction in [0, 1), of 24 bits, different for 2^24 elements in a row.\n"
    "@static double fraction(uint64_t seed, uint32_t tensor, uint64_t i) {\n"
    "  const uint32_t mask = (1u << 24) - 1;\n"
    "  uint32_t x = (uint32_t)(i ^ seed ^ (seed >> 24) ^ (seed >> 48)) + tensor * 0x9e3779b9u;\n"
    "  for (int round = 0; round < 3; round++) {\n"
    "    x = (x & mask) * 0x2c1b3c6du & mask;\n"
    "    x ^= x >> 12;\n"
    "  }\n"
    "  return (double)x * 0x1p-24;\n"
    "}\n";

static const char denormal_text[] =
    "\n"
    "// A subnormal, or one of the smallest normal numbers.\n"
    "@static float denormal(Bits b) {\n"
    "  const uint32_t bits = b.v[0] & 0x80ffffffu;\n"
    "  float v;\n"
    "  memcpy(&v, &bits, sizeof v);\n"
    "  return v;\n"
    "}\n";

static const char denormal_f16_text[] =
    "\n"
    "// The bits of a subnormal half, or of one of the smallest normal ones.\n"
    "@static uint32_t denormal_f16(Bits b) { return (b.v[0] >> 16 & 0x8000) | (b.v[0] & 0x7ff); }\n";

static const char denormal_bf16_text[] =
    "\n"
    "// The bits of a subnormal bfloat16, or of one of the smallest normal ones.\n"
    "@static uint32_t denormal_bf16(Bits b) { return b.v[0] >> 16 & 0x80ff; }\n";

static const char power_text[] =
    "\n"
    "// A power of two, of either sign, with an exponent of -n to n.\n"
    "@static float power(Bits b, int64_t n) {\n"
    "  const float v = (float)ldexp(1.0, (int)integer(b, n));\n"
    "  return b.v[1] & 1 ? -v : v;\n"
    "}\n";

static const char distinct_text[] =
    "\n"
    "// Integers of magnitude 1 to n, each magnitude once in n elements in a row.\n"
    "@static float distinct(Bits b, uint64_t seed, uint64_t i, uint64_t n) {\n"
    "  const float v = n > 1 ? (float)((i + seed % n) % n + 1) : 1;\n"
    "  return b.v[0] & 1 ? -v : v;\n"
    "}\n";

enum { NEEDS_BITS = 1, NEEDS_FLOAT = 2 };

/* Behind the distributions those that are others for a type of 16 bits. */
enum { DENORMAL_F16 = WF_DIST_COUNT, DENORMAL_BF16, N_PARTS };

/* own: NULL, there is no function. Two may share one. */
static const struct {
  unsigned needs;
  const char *own;
} parts[N_PARTS] = {
    [WF_DIST_NORMAL] = {NEEDS_BITS | NEEDS_FLOAT, normal_text},
    [WF_DIST_UNIFORM] = {NEEDS_BITS | NEEDS_FLOAT, uniform_text},
    [WF_DIST_HUGE] = {NEEDS_BITS | NEEDS_FLOAT, huge_text},
    [WF_DIST_INTEGERS] = {NEEDS_BITS | NEEDS_FLOAT, integer_text},
    [WF_DIST_RAMP] = {NEEDS_FLOAT, NULL},
    [WF_DIST_HASH] = {NEEDS_FLOAT, hash_text},
    [WF_DIST_DENORMAL] = {NEEDS_BITS, denormal_text},
    [WF_DIST_MIXED] = {NEEDS_BITS, power_text},
    [WF_DIST_MEAN] = {NEEDS_BITS | NEEDS_FLOAT, normal_text},
    [WF_DIST_CONSTANT] = {0, NULL},
    [WF_DIST_DISTINCT] = {NEEDS_BITS, distinct_text},
    [DENORMAL_F16] = {NEEDS_BITS, denormal_f16_text},
    [DENORMAL_BF16] = {NEEDS_BITS, denormal_bf16_text},
};

void wf_emit_functions(WfText *t, const char *text, int on_device) {
  for (const char *at; (at = strchr(text, '@')) != NULL; text = at + strlen("@static")) {
    wf_text_put(t, text, (size_t)(at - text));
    wf_text_add(t, "static%s", on_device ? " __host__ __device__" : "");
  }
  wf_text_put(t, text, strlen(text));
}

uint32_t wf_emit_draws(const WfFill *f, WfDtype type) {
  if (f->dist == WF_DIST_DENORMAL && type != WF_F32)
    return 1u << (type == WF_F16 ? DENORMAL_F16 : DENORMAL_BF16);
  return 1u << f->dist;
}

void wf_emit_draw(WfText *t, uint32_t draws, int on_device) {
  unsigned needs = 0;
  const char *done[N_PARTS];
  int n_done = 0;
  for (int d = 0; d < N_PARTS; d++)
    needs |= draws >> d & 1 ? parts[d].needs : 0;
  if (needs & NEEDS_BITS)
    wf_emit_functions(t, philox_text, on_device);
  if (needs & NEEDS_FLOAT) {
    wf_emit_functions(t, to_float_text, on_device);
    wf_emit_functions(t, on_device ? to_float_device_text : to_float_host_text, on_device);
  }
  if (draws >> WF_DIST_MIXED & 1)
    draws |= 1u << WF_DIST_INTEGERS;
  for (int d = 0; d < N_PARTS; d++) {
    int is_new = (draws >> d & 1) && parts[d].own;
    for (int i = 0; i < n_done; i++)
      is_new &= done[i] != parts[d].own;
    if (!is_new)
      continue;
    wf_emit_functions(t, parts[d].own, on_device);
    done[n_done++] = parts[d].own;
  }
}

static void add_denormal(WfText *t, WfDtype type, int tensor, const char *bits) {
  if (type == WF_F32)
    wf_text_add(t, "denormal(%s)", bits);
  else
    wf_text_add(t, "float_of(%d, denormal_%s(%s))", tensor, wf_dtype_name(type), bits);
}

void wf_emit_drawn(WfText *t, const WfFill *f, WfDtype type, int tensor) {
  char offset_text[WF_NUMBER_SIZE], scale_text[WF_NUMBER_SIZE], narrow[WF_NUMBER_SIZE], bits[64];
  const char *offset = wf_emit_double(offset_text, f->offset), *scale;
  double s = (double)(float)f->scale;
  scale = wf_emit_double(scale_text, s);
  unsigned long long seed = f->seed;
  snprintf(bits, sizeof bits, "philox(%lluu, %d, i)", seed, tensor);
  switch (f->dist) {
  case WF_DIST_NORMAL: wf_text_add(t, "to_float(%s + %s * normal(%s))", offset, scale, bits); break;
  case WF_DIST_UNIFORM: wf_text_add(t, "to_float(%s + %s * uniform(%s))", offset, scale, bits); break;
  case WF_DIST_HUGE: wf_text_add(t, "to_float(%s + %s * huge(%s))", offset, scale, bits); break;
  case WF_DIST_INTEGERS: wf_text_add(t, "to_float(%s + integer(%s, %d))", offset, bits, (int)wf_limited(s, wf_most_integer(type))); break;
  case WF_DIST_RAMP: wf_text_add(t, "to_float(%s + %s * (double)(col %% (1 << 29)))", offset, scale); break;
  case WF_DIST_HASH: wf_text_add(t, "to_float(%s + %s * fraction(%lluu, %d, i))", offset, scale, seed, tensor); break;
  case WF_DIST_DENORMAL: add_denormal(t, type, tensor, bits); break;
  case WF_DIST_MIXED: wf_text_add(t, "power(%s, %d)", bits, (int)wf_limited(s, wf_most_exponent(type))); break;
  case WF_DIST_MEAN:
    wf_text_add(t, "to_float(%s + %s * (normal(%s) * %s))", offset, scale, bits, wf_emit_double(narrow, wf_narrow(type)));
    break;
  case WF_DIST_CONSTANT: wf_text_add(t, "(float)%s", offset); break;
  case WF_DIST_DISTINCT:
    wf_text_add(t, "distinct(%s, %lluu, i, %du)", bits, seed, (int)wf_limited(s, wf_most_integer(type)));
    break;
  case WF_DIST_COUNT: break;
  }
}
