/* rewrite_ptx_read.c - reads a PTX instruction; its operands in C++. */
#include "rewrite_ptx.h"
#include <stdio.h>
#include <stdlib.h>

const char *simt_ptx_find(const Pair *p, size_t n, const char *ptx) {
  for (size_t i = 0; i < n; i++)
    if (!strcmp(p[i].ptx, ptx)) return p[i].cxx;
  return NULL;
}
static const Pair types[] = {
    {"u8", "unsigned char"}, {"s8", "signed char"}, {"b8", "unsigned char"}, {"u16", "unsigned short"}, {"s16", "short"},
    {"b16", "unsigned short"}, {"u32", "unsigned"}, {"s32", "int"}, {"b32", "unsigned"}, {"u64", "unsigned long long"},
    {"s64", "long long"}, {"b64", "unsigned long long"}, {"f32", "float"}, {"f64", "double"}, {"f16", "::simt::ptx::f16"},
    {"bf16", "::simt::ptx::bf16"}, {"f16x2", "::simt::ptx::f16x2"}, {"bf16x2", "::simt::ptx::bf16x2"}};

static const Pair registers[] = {
    {"laneid", "simt_lane_id()"}, {"warpid", "::simt::ptx::p_warpid()"}, {"nwarpid", "64u"}, {"smid", "::simt::ptx::p_smid()"},
    {"nsmid", "132u"}, {"clock", "static_cast<unsigned>(clock64())"}, {"clock64", "clock64()"}, {"globaltimer", "clock64()"},
    {"globaltimer_lo", "static_cast<unsigned>(clock64())"}, {"clock_hi", "static_cast<unsigned>(clock64() >> 32)"},
    {"lanemask_eq", "(1u << simt_lane_id())"}, {"lanemask_lt", "((1u << simt_lane_id()) - 1)"},
    {"lanemask_le", "((2u << simt_lane_id()) - 1)"}, {"lanemask_gt", "~((2u << simt_lane_id()) - 1)"},
    {"lanemask_ge", "~((1u << simt_lane_id()) - 1)"}, {"tid.x", "threadIdx.x"}, {"tid.y", "threadIdx.y"}, {"tid.z", "threadIdx.z"},
    {"ntid.x", "blockDim.x"}, {"ntid.y", "blockDim.y"}, {"ntid.z", "blockDim.z"}, {"ctaid.x", "blockIdx.x"}, {"ctaid.y", "blockIdx.y"},
    {"ctaid.z", "blockIdx.z"}, {"nctaid.x", "gridDim.x"}, {"nctaid.y", "gridDim.y"}, {"nctaid.z", "gridDim.z"}};

const char *simt_ptx_type_of(const char *part) { return FIND(types, part); }

/* ---- reading ---- */
const char *simt_ptx_skip_blanks(const char *s, const char *end) {
  while (s < end && is_blank(*s)) s++;
  return s;
}

/* s[0..n) without blanks at its ends; cut if it is long, and then no name of anything. */
void simt_ptx_set_word(Word w, const char *s, size_t n) {
  while (n && is_blank(*s)) s++, n--;
  while (n && is_blank(s[n - 1])) n--;
  if (n >= MAX_WORD) n = MAX_WORD - 1;
  memcpy(w, s, n);
  w[n] = '\0';
}

/* The pieces of s[0..n) between the characters `at` outside of brackets. -1: too many. */
int simt_ptx_split(const char *s, const char *end, char at, Word *piece, size_t max, size_t *n) {
  int depth = 0;
  const char *from = s;
  for (*n = 0; s <= end; s++) {
    if (s < end && (*s == '[' || *s == '{')) depth++;
    if (s < end && (*s == ']' || *s == '}')) depth--;
    if (s < end && (*s != at || depth)) continue;
    if (*n == max) return -1;
    simt_ptx_set_word(piece[(*n)++], from, (size_t)(s - from));
    from = s + 1;
  }
  return 0;
}

/* 0, or -1: it is nothing that could be in the table. */
int simt_ptx_read_instruction(Instruction *in, const char *s, const char *end) {
  const char *word = s;
  snprintf(in->text, sizeof in->text, "%.*s", (int)(end - s), s);
  while (s < end && !is_blank(*s)) s++;
  if (s == word || *word == '@' || *word == '{' || *word == '.' || s[-1] == ':') return -1;
  /* `L1::no_allocate` and the like are one part */
  if (simt_ptx_split(word, s, '.', in->part, MAX_PARTS, &in->n_parts)) return -1;
  s = simt_ptx_skip_blanks(s, end);
  in->n_args = 0;
  return s == end ? 0 : simt_ptx_split(s, end, ',', in->arg, MAX_ARGS, &in->n_args);
}

int simt_ptx_has(const Instruction *in, const char *part) {
  for (size_t i = 0; i < in->n_parts; i++)
    if (!strcmp(in->part[i], part)) return 1;
  return 0;
}

/* ---- operands ---- */

/* `%%name` in a statement with operands is PTX's `%name`. */
static const char *as_ptx(const char *name) { return name + (name[0] == '%' && name[1] == '%'); }

/* As it is written, %laneid is a special register, and a register `laneid` another one. Beyond that a % more or less does no harm. */
const char *simt_ptx_declared(const Instruction *in, const char *arg) {
  const char *name = as_ptx(arg), *bare = name + (*name == '%');
  for (size_t i = 0; i < in->registers->n; i++)
    if (!strcmp(in->registers->name[i], name)) return in->registers->variable[i];
  if (bare != name && FIND(registers, bare)) return NULL;
  for (size_t i = 0; i < in->registers->n; i++)
    if (!strcmp(in->registers->name[i] + (in->registers->name[i][0] == '%'), bare)) return in->registers->variable[i];
  return NULL;
}

/* The variable of %0, %1 ... of the statement, or of a register of its own; or NULL. */
const char *simt_ptx_operand(const Instruction *in, const char *arg) {
  static const char names[SIMT_ASM_OPERANDS][12] = {
      "simt_asm0", "simt_asm1", "simt_asm2", "simt_asm3", "simt_asm4", "simt_asm5", "simt_asm6", "simt_asm7", "simt_asm8", "simt_asm9",
      "simt_asm10", "simt_asm11", "simt_asm12", "simt_asm13", "simt_asm14", "simt_asm15", "simt_asm16", "simt_asm17", "simt_asm18",
      "simt_asm19", "simt_asm20", "simt_asm21", "simt_asm22", "simt_asm23", "simt_asm24", "simt_asm25", "simt_asm26", "simt_asm27",
      "simt_asm28", "simt_asm29"};
  char *end;
  const char *own = simt_ptx_declared(in, arg);
  if (own) return own;
  if (*arg++ != '%' || *arg < '0' || *arg > '9') return NULL;
  unsigned long k = strtoul(arg, &end, 10);
  return *end || k >= in->of->n_operands ? NULL : names[k];
}

/* An expression for what an instruction reads. 0, or -1: none. */
int simt_ptx_put_source(const Instruction *in, const char *arg, SimtText *out) {
  const char *text = simt_ptx_operand(in, arg);
  if (text) {
    put(out, text);
    return 0;
  }
  if (*arg == '%') {
    text = FIND(registers, arg + 1 + (arg[1] == '%'));
    if (text) put(out, text);
    return text ? 0 : -1;
  }
  if ((arg[0] == '0' && (arg[1] == 'f' || arg[1] == 'F')) && strlen(arg) == 10) {
    put(out, "__int_as_float(0x"), put(out, arg + 2), put(out, ")");
    return 0;
  }
  size_t n = strspn(arg, "-0123456789abcdefABCDEFxXU");
  if (!n || arg[n] || !(*arg == '-' || (*arg >= '0' && *arg <= '9'))) return -1;
  put(out, arg);
  return 0;
}

/* `[%1+16]` as `address, 16`; of shared memory, which addresses of 32 bits are, as the generic address. */
int simt_ptx_put_address_in(const Instruction *in, const char *arg, int shared, SimtText *out) {
  size_t n = strlen(arg);
  Word piece[2];
  size_t pieces;
  if (n < 3 || arg[0] != '[' || arg[n - 1] != ']') return -1;
  if (simt_ptx_split(arg + 1, arg + n - 1, '+', piece, 2, &pieces) || !simt_ptx_operand(in, piece[0])) return -1;
  if (shared) put(out, "::simt::ptx::in_shared(");
  if (simt_ptx_put_source(in, piece[0], out)) return -1;
  put(out, shared ? "), " : ", ");
  if (pieces == 2) return simt_ptx_put_source(in, piece[1], out);
  put(out, "0");
  return 0;
}

int simt_ptx_has_shared(const Instruction *in) { return simt_ptx_has(in, "shared") || simt_ptx_has(in, "shared::cta"); }

int simt_ptx_put_address(const Instruction *in, const char *arg, SimtText *out) { return simt_ptx_put_address_in(in, arg, simt_ptx_has_shared(in), out); }

/* `x = ::simt::ptx::p_to<decltype(x)>(`: the value and a `)` follow. */
int simt_ptx_put_target(const Instruction *in, const char *arg, SimtText *out) {
  const char *text = simt_ptx_operand(in, arg);
  if (!text) return -1;
  put(out, text), put(out, " = ::simt::ptx::p_to<decltype("), put(out, text), put(out, ")>(");
  return 0;
}

/* The members of `{%0, %1}`, or the one that stands alone. */
int simt_ptx_members(const char *arg, Word *member, size_t *n) {
  size_t len = strlen(arg);
  if (arg[0] != '{') return simt_ptx_split(arg, arg + len, ',', member, 1, n);
  return arg[len - 1] == '}' ? simt_ptx_split(arg + 1, arg + len - 1, ',', member, 8, n) : -1;
}

const char *simt_ptx_last_type(const Instruction *in) { return simt_ptx_type_of(in->part[in->n_parts - 1]); }
