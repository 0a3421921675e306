/* rewrite_ptx_values.c - PTX instructions that compute: of simt_ptx.def, and those of matrices, predicates and packed registers. */
#include "rewrite_ptx.h"
#include <stdio.h>
#include <stdlib.h>

/* ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4]; */
int simt_ptx_put_load_matrix(const Instruction *in, SimtText *out) {
  int n = simt_ptx_has(in, "x1") ? 1 : simt_ptx_has(in, "x2") ? 2 : simt_ptx_has(in, "x4") ? 4 : 0;
  Word to[8];
  size_t n_to;
  char text[64];
  if (!n || !simt_ptx_has(in, "m8n8") || !simt_ptx_has_shared(in) || !simt_ptx_has(in, "b16") || in->n_args != 2 || simt_ptx_members(in->arg[0], to, &n_to) || n_to != (size_t)n)
    return -1;
  snprintf(text, sizeof text, "::simt::ptx::p_load_matrix<%d, %d>(", n, simt_ptx_has(in, "trans"));
  put(out, text);
  if (simt_ptx_put_address(in, in->arg[1], out)) return -1;
  for (size_t i = 0; i < n_to; i++) {
    put(out, ", ");
    if (!simt_ptx_operand(in, to[i]) || simt_ptx_put_source(in, to[i], out)) return -1;
  }
  put(out, ")");
  return 0;
}

/* mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {d}, {a}, {b}, {c}; also with k8, of bf16, and with sums in halves. */
int simt_ptx_put_multiply(const Instruction *in, SimtText *out) {
  static const char *const fixed[] = {"sync", "aligned", NULL, "row", "col"};
  if (in->n_parts != 10 || in->n_args != 4) return -1;
  for (size_t i = 0; i < 5; i++)
    if (fixed[i] && strcmp(in->part[i + 1], fixed[i])) return -1;
  const char *type = in->part[7], *sums = in->part[6];
  int blocks = !strcmp(in->part[3], "m16n8k16") ? 2 : !strcmp(in->part[3], "m16n8k8") ? 1 : 0, floats = !strcmp(sums, "f32");
  if (!blocks || strcmp(type, in->part[8]) || strcmp(sums, in->part[9]) || (strcmp(type, "f16") && strcmp(type, "bf16"))) return -1;
  if (!floats && (strcmp(sums, "f16") || strcmp(type, "f16"))) return -1;
  const size_t wants[4] = {floats ? 4 : 2, (size_t)blocks * 2, (size_t)blocks, floats ? 4 : 2};
  Word reg[4][8];
  size_t n;
  char text[192];
  for (size_t k = 0; k < 4; k++)
    if (simt_ptx_members(in->arg[k], reg[k], &n) || n != wants[k]) return -1;
  snprintf(text, sizeof text, "unsigned simt_d[%zu]; ::simt::ptx::p_multiply<::simt::ptx::%s, %d, %s>(simt_d", wants[0], type, blocks,
           floats ? "true" : "false");
  put(out, "{ "), put(out, text);
  for (size_t k = 1; k < 4; k++)
    for (size_t i = 0; i < wants[k]; i++) {
      put(out, ", ");
      if (simt_ptx_put_source(in, reg[k][i], out)) return -1;
    }
  put(out, ")");
  for (size_t i = 0; i < wants[0]; i++) {
    put(out, "; ");
    if (simt_ptx_put_target(in, reg[0][i], out)) return -1;
    snprintf(text, sizeof text, "simt_d[%zu])", i);
    put(out, text);
  }
  put(out, "; }");
  return 0;
}

/* setp.ne.b32 p, %0, 0; of integers. */
int simt_ptx_put_comparison(const Instruction *in, SimtText *out) {
  static const Pair comparisons[] = {{"eq", " == "}, {"ne", " != "}, {"lt", " < "}, {"le", " <= "}, {"gt", " > "},
                                     {"ge", " >= "}, {"lo", " < "}, {"ls", " <= "}, {"hi", " > "}, {"hs", " >= "}};
  const char *type = simt_ptx_last_type(in), *compares = in->n_parts == 3 ? FIND(comparisons, in->part[1]) : NULL;
  const char *to = in->n_args == 3 ? simt_ptx_operand(in, in->arg[0]) : NULL;
  if (!type || !compares || !to || strchr(in->part[2], 'f')) return -1;
  put(out, to), put(out, " = ");
  for (size_t i = 1; i < 3; i++) {
    put(out, i > 1 ? compares : ""), put(out, "::simt::ptx::p_to<"), put(out, type), put(out, ">(");
    if (simt_ptx_put_source(in, in->arg[i], out)) return -1;
    put(out, ")");
  }
  return 0;
}

/* mov.b64 %0, {%1, %2}; and mov.b64 {%0, %1}, %2; */
int simt_ptx_put_packing(const Instruction *in, SimtText *out) {
  const char *type = simt_ptx_last_type(in);
  Word part[8];
  size_t n;
  int packs = in->arg[1][0] == '{';
  char number[64];
  if (!type || simt_ptx_members(in->arg[packs], part, &n) || (n != 2 && n != 4)) return -1;
  if (packs) {
    if (simt_ptx_put_target(in, in->arg[0], out)) return -1;
    put(out, "::simt::ptx::p_pack<"), put(out, type), put(out, ">(");
    for (size_t i = 0; i < n; i++) {
      put(out, i ? ", " : "");
      if (simt_ptx_put_source(in, part[i], out)) return -1;
    }
    put(out, "))");
    return 0;
  }
  for (size_t i = 0; i < n; i++) {
    snprintf(number, sizeof number, ", %zu, %zu>(", i, n);
    put(out, i ? ", " : "");
    if (simt_ptx_put_target(in, part[i], out)) return -1;
    put(out, "::simt::ptx::p_part<"), put(out, type), put(out, number);
    if (simt_ptx_put_source(in, in->arg[1], out)) return -1;
    put(out, "))");
  }
  return 0;
}

/* The opcode without what does not matter, and its types: `, `-separated. */
static int key_of(const Instruction *in, char *key, size_t size, SimtText *type_list) {
  size_t n = 0;
  for (size_t i = 0; i < in->n_parts; i++) {
    const char *p = in->part[i], *type = i ? simt_ptx_type_of(p) : NULL;
    if (!strcmp(p, "rn") || !strcmp(p, "ftz") || !strcmp(p, "sync")) continue;
    if (type) put(type_list, type_list->len ? ", " : ""), put(type_list, type);
    else n += (size_t)snprintf(key + n, size - n, "%s%s", i ? "." : "", p);
    if (n >= size) return -1;
  }
  return type_list->len ? 0 : -1;
}

int simt_ptx_put_listed(const Instruction *in, SimtText *out) {
  static const struct {
    const char *name, *function;
    size_t sources;
  } listed[] = {
#define PTX(NAME, FUNCTION, SOURCES) {NAME, #FUNCTION, SOURCES},
#include "simt_ptx.def"
#undef PTX
  };
  char key[128] = "";
  SimtText type_list = {0};
  int rc = key_of(in, key, sizeof key, &type_list);
  size_t k = 0, n = sizeof listed / sizeof listed[0];
  while (k < n && (strcmp(listed[k].name, key) || in->n_args != listed[k].sources + 1)) k++;
  if (k == n) rc = -1;
  if (!rc) rc = simt_ptx_put_target(in, in->arg[0], out);
  if (!rc) put(out, "::simt::ptx::p_"), put(out, listed[k].function), put(out, "<"), put(out, type_list.s), put(out, ">(");
  for (size_t i = 1; !rc && i < in->n_args; i++) {
    put(out, i > 1 ? ", " : "");
    rc = simt_ptx_put_source(in, in->arg[i], out);
  }
  if (!rc) put(out, "))");
  free(type_list.s);
  return rc;
}
