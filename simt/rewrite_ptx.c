/* rewrite_ptx.c - PTX instructions as calls of include/simt_ptx.h. */
#include "rewrite_asm.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PARTS = 12, MAX_ARGS = 8, MAX_WORD = 64, MAX_REGISTERS = 16 };

typedef char Word[MAX_WORD];

/* Declared by the statement itself: `.reg .u64 address`; as the variable simt_reg_address. */
typedef struct Registers {
  Word name[MAX_REGISTERS], variable[MAX_REGISTERS];
  size_t n;
} Registers;

/* One instruction. Operands as they stand there: `%0`, `[%1+4]`, `{%0, %1}`, `%laneid`, `7`. */
typedef struct Instruction {
  const SimtAsm *of;
  const Registers *registers;
  char text[256];
  Word part[MAX_PARTS]; /* of the opcode, at its dots */
  size_t n_parts;
  Word arg[MAX_ARGS];
  size_t n_args;
} Instruction;

typedef struct Pair {
  const char *ptx, *cxx;
} Pair;

static const char *find(const Pair *p, size_t n, const char *ptx) {
  for (size_t i = 0; i < n; i++)
    if (!strcmp(p[i].ptx, ptx)) return p[i].cxx;
  return NULL;
}
#define FIND(table, ptx) find(table, sizeof table / sizeof table[0], ptx)

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

static const Pair orders[] = {{"relaxed", "SIMT_RELAXED"}, {"volatile", "SIMT_RELAXED"}, {"acquire", "SIMT_ACQUIRE"},
                              {"release", "SIMT_RELEASE"}, {"acq_rel", "SIMT_ACQ_REL"}};
static const Pair scopes[] = {{"cta", "SIMT_SCOPE_BLOCK"}, {"gpu", "SIMT_SCOPE_DEVICE"}, {"gl", "SIMT_SCOPE_DEVICE"},
                              {"sys", "SIMT_SCOPE_SYSTEM"}};

static void put(SimtText *out, const char *s) { simt_text_puts(out, s); }

/* ---- reading ---- */
static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static const char *skip_blanks(const char *s, const char *end) {
  while (s < end && is_blank(*s)) s++;
  return s;
}

/* s[0..n) without blanks at its ends; cut if it is long, and then no name of anything. */
static void set_word(Word w, const char *s, size_t n) {
  while (n && is_blank(*s)) s++, n--;
  while (n && is_blank(s[n - 1])) n--;
  if (n >= MAX_WORD) n = MAX_WORD - 1;
  memcpy(w, s, n);
  w[n] = '\0';
}

/* The pieces of s[0..n) between the characters `at` outside of brackets. -1: too many. */
static int split(const char *s, const char *end, char at, Word *piece, size_t max, size_t *n) {
  int depth = 0;
  const char *from = s;
  for (*n = 0; s <= end; s++) {
    if (s < end && (*s == '[' || *s == '{')) depth++;
    if (s < end && (*s == ']' || *s == '}')) depth--;
    if (s < end && (*s != at || depth)) continue;
    if (*n == max) return -1;
    set_word(piece[(*n)++], from, (size_t)(s - from));
    from = s + 1;
  }
  return 0;
}

/* 0, or -1: it is nothing that could be in the table. */
static int read_instruction(Instruction *in, const char *s, const char *end) {
  const char *word = s;
  snprintf(in->text, sizeof in->text, "%.*s", (int)(end - s), s);
  while (s < end && !is_blank(*s)) s++;
  if (s == word || *word == '@' || *word == '{' || *word == '.' || s[-1] == ':') return -1;
  /* `L1::no_allocate` and the like are one part */
  if (split(word, s, '.', in->part, MAX_PARTS, &in->n_parts)) return -1;
  s = skip_blanks(s, end);
  in->n_args = 0;
  return s == end ? 0 : split(s, end, ',', in->arg, MAX_ARGS, &in->n_args);
}

static int has(const Instruction *in, const char *part) {
  for (size_t i = 0; i < in->n_parts; i++)
    if (!strcmp(in->part[i], part)) return 1;
  return 0;
}

/* ---- operands ---- */

static const char *behind_percents(const char *name) { return name + strspn(name, "%"); }

static const char *declared(const Instruction *in, const char *arg) {
  for (size_t i = 0; i < in->registers->n; i++)
    if (!strcmp(in->registers->name[i], behind_percents(arg))) return in->registers->variable[i];
  return NULL;
}

/* The variable of %0, %1 ... of the statement, or of a register of its own; or NULL. */
static const char *operand(const Instruction *in, const char *arg) {
  static const char names[SIMT_ASM_OPERANDS][12] = {
      "simt_asm0", "simt_asm1", "simt_asm2", "simt_asm3", "simt_asm4", "simt_asm5", "simt_asm6", "simt_asm7", "simt_asm8", "simt_asm9",
      "simt_asm10", "simt_asm11", "simt_asm12", "simt_asm13", "simt_asm14", "simt_asm15", "simt_asm16", "simt_asm17", "simt_asm18",
      "simt_asm19", "simt_asm20", "simt_asm21", "simt_asm22", "simt_asm23", "simt_asm24", "simt_asm25", "simt_asm26", "simt_asm27",
      "simt_asm28", "simt_asm29"};
  char *end;
  const char *own = declared(in, arg);
  if (own) return own;
  if (*arg++ != '%' || *arg < '0' || *arg > '9') return NULL;
  unsigned long k = strtoul(arg, &end, 10);
  return *end || k >= in->of->n_operands ? NULL : names[k];
}

/* An expression for what an instruction reads. 0, or -1: none. */
static int put_source(const Instruction *in, const char *arg, SimtText *out) {
  const char *text = operand(in, arg);
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
static int put_address_in(const Instruction *in, const char *arg, int shared, SimtText *out) {
  size_t n = strlen(arg);
  Word piece[2];
  size_t pieces;
  if (n < 3 || arg[0] != '[' || arg[n - 1] != ']') return -1;
  if (split(arg + 1, arg + n - 1, '+', piece, 2, &pieces) || !operand(in, piece[0])) return -1;
  if (shared) put(out, "::simt::ptx::in_shared(");
  if (put_source(in, piece[0], out)) return -1;
  put(out, shared ? "), " : ", ");
  if (pieces == 2) return put_source(in, piece[1], out);
  put(out, "0");
  return 0;
}

static int has_shared(const Instruction *in) { return has(in, "shared") || has(in, "shared::cta"); }

static int put_address(const Instruction *in, const char *arg, SimtText *out) { return put_address_in(in, arg, has_shared(in), out); }

/* `x = ::simt::ptx::p_to<decltype(x)>(`: the value and a `)` follow. */
static int put_target(const Instruction *in, const char *arg, SimtText *out) {
  const char *text = operand(in, arg);
  if (!text) return -1;
  put(out, text), put(out, " = ::simt::ptx::p_to<decltype("), put(out, text), put(out, ")>(");
  return 0;
}

/* The members of `{%0, %1}`, or the one that stands alone. */
static int members(const char *arg, Word *member, size_t *n) {
  size_t len = strlen(arg);
  if (arg[0] != '{') return split(arg, arg + len, ',', member, 1, n);
  return arg[len - 1] == '}' ? split(arg + 1, arg + len - 1, ',', member, 8, n) : -1;
}

/* ---- instructions ---- */

static const char *last_type(const Instruction *in) { return FIND(types, in->part[in->n_parts - 1]); }

/* The order and scope of an access: `, ORDER, SCOPE` of the template arguments; plain: none. */
static void put_strength(const Instruction *in, SimtText *out) {
  const char *order = NULL, *scope = NULL;
  for (size_t i = 1; i < in->n_parts; i++) {
    if (!order) order = FIND(orders, in->part[i]);
    if (!scope) scope = FIND(scopes, in->part[i]);
  }
  if (!order && strcmp(in->part[0], "atom") && strcmp(in->part[0], "red")) {
    put(out, ", ::simt::ptx::WEAK, 0");
    return;
  }
  put(out, ", "), put(out, order ? order : "SIMT_RELAXED");
  put(out, ", "), put(out, scope ? scope : has(in, "volatile") ? "SIMT_SCOPE_SYSTEM" : "SIMT_SCOPE_DEVICE");
}

static int vector_elems(const Instruction *in) { return has(in, "v2") ? 2 : has(in, "v4") ? 4 : has(in, "v8") ? 8 : 1; }

/* Only parts that say where and how; anything else (.cluster, .mmio, .async ...) means more than an access. */
static int is_plain_access(const Instruction *in) {
  static const char *const known[] = {"global", "shared", "shared::cta", "local", "const", "param", "nc", "ca", "cg", "cs", "lu", "cv", "wb", "wt",
                                      "v2", "v4", "relaxed", "acquire", "release", "acq_rel", "volatile", "weak", "cta", "gpu", "sys", "add",
                                      "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec", "noftz"};
  for (size_t i = 1; i + 1 < in->n_parts; i++) {
    const char *p = in->part[i];
    int ok = !strncmp(p, "L1::", 4) || !strncmp(p, "L2::", 4);
    for (size_t k = 0; !ok && k < sizeof known / sizeof known[0]; k++) ok = !strcmp(p, known[k]);
    if (!ok) return 0;
  }
  return 1;
}

static int put_load(const Instruction *in, SimtText *out) {
  const char *type = last_type(in);
  Word to[8];
  size_t n;
  char count[32];
  if (!type || in->n_args != 2 || !is_plain_access(in) || members(in->arg[0], to, &n) || n != (size_t)vector_elems(in)) return -1;
  snprintf(count, sizeof count, ", %zu", n);
  if (n == 1 && put_target(in, to[0], out)) return -1;
  put(out, n == 1 ? "::simt::ptx::p_load<" : "::simt::ptx::p_load_vector<"), put(out, type);
  if (n > 1) put(out, count);
  put_strength(in, out);
  put(out, ">(");
  if (put_address(in, in->arg[1], out)) return -1;
  for (size_t i = 0; n > 1 && i < n; i++) {
    put(out, ", ");
    if (!operand(in, to[i]) || put_source(in, to[i], out)) return -1;
  }
  put(out, n == 1 ? "))" : ")");
  return 0;
}

static int put_store(const Instruction *in, SimtText *out) {
  const char *type = last_type(in);
  Word from[8];
  size_t n;
  if (!type || in->n_args != 2 || !is_plain_access(in) || members(in->arg[1], from, &n) || n != (size_t)vector_elems(in)) return -1;
  put(out, "::simt::ptx::p_store<"), put(out, type);
  put_strength(in, out);
  put(out, ">(");
  if (put_address(in, in->arg[0], out)) return -1;
  for (size_t i = 0; i < n; i++) {
    put(out, ", ");
    if (put_source(in, from[i], out)) return -1;
  }
  put(out, ")");
  return 0;
}

/* atom has a result, red has none. */
static int put_atomic(const Instruction *in, SimtText *out) {
  static const char *const ops[] = {"add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"};
  const char *type = last_type(in), *op = NULL;
  size_t first = !strcmp(in->part[0], "atom");
  for (size_t k = 0; k < sizeof ops / sizeof ops[0]; k++)
    if (has(in, ops[k])) op = ops[k];
  if (!type || !op || !is_plain_access(in) || vector_elems(in) > 1 || in->n_args != first + 2 + !strcmp(op, "cas")) return -1;
  if (first && put_target(in, in->arg[0], out)) return -1;
  put(out, "::simt::ptx::p_atomic<::simt::ptx::op_"), put(out, op), put(out, ", "), put(out, type);
  put_strength(in, out);
  put(out, ">(");
  if (put_address(in, in->arg[first], out)) return -1;
  for (size_t i = first + 1; i < in->n_args; i++) {
    put(out, ", ");
    if (put_source(in, in->arg[i], out)) return -1;
  }
  put(out, first ? "))" : ")");
  return 0;
}

static int put_fence(const Instruction *in, SimtText *out) {
  const char *scope = FIND(scopes, in->part[in->n_parts - 1]);
  if (!scope || in->n_args || in->n_parts > 3) return -1;
  if (in->n_parts == 3 && strcmp(in->part[1], "sc") && strcmp(in->part[1], "acq_rel")) return -1;
  put(out, "simt_op_fence("), put(out, scope), put(out, ", nullptr)");
  return 0;
}

static int put_barrier(const Instruction *in, SimtText *out) {
  if (has(in, "warp") && in->n_args == 1) { /* bar.warp.sync mask */
    put(out, "__syncwarp(");
    if (put_source(in, in->arg[0], out)) return -1;
    put(out, ")");
    return 0;
  }
  int waits = has(in, "sync");
  if (!(waits || has(in, "arrive")) || has(in, "cluster") || has(in, "red")) return -1;
  if (waits && in->n_args == 1 && !strcmp(in->arg[0], "0")) return put(out, "__syncthreads()"), 0;
  if (in->n_args != 2) return -1;
  put(out, "::simt::ptx::p_barrier(");
  for (size_t i = 0; i < 2; i++) {
    if (put_source(in, in->arg[i], out)) return -1;
    put(out, ", ");
  }
  put(out, waits ? "1)" : "0)");
  return 0;
}

/* cp.async.ca.shared.global [%0], [%1], 16, %2; the last operand, bytes that are copied or a predicate that says none, may be missing. */
static int put_copy(const Instruction *in, SimtText *out) {
  if (in->n_args < 3 || in->n_args > 4 || !has_shared(in) || !has(in, "global") || !(has(in, "ca") || has(in, "cg"))) return -1;
  for (size_t i = 2; i < in->n_parts; i++) {
    const char *p = in->part[i];
    if ((strncmp(p, "L2::", 4) || !strcmp(p, "L2::cache_hint")) && strcmp(p, "ca") && strcmp(p, "cg") && strncmp(p, "shared", 6) && strcmp(p, "global")) return -1;
  }
  put(out, "::simt::ptx::p_copy_async(");
  if (put_address_in(in, in->arg[0], 1, out)) return -1;
  put(out, ", ");
  if (put_address_in(in, in->arg[1], 0, out)) return -1;
  for (size_t i = 2; i < in->n_args; i++) {
    put(out, ", ");
    if (put_source(in, in->arg[i], out)) return -1;
  }
  put(out, ")");
  return 0;
}

static int put_copies(const Instruction *in, SimtText *out) {
  if (in->n_parts < 3 || strcmp(in->part[1], "async")) return -1;
  if (in->n_parts > 3) return put_copy(in, out);
  if (!strcmp(in->part[2], "commit_group") && !in->n_args) return put(out, "simt_op_copies_commit(nullptr)"), 0;
  if (!strcmp(in->part[2], "wait_all") && !in->n_args)
    return put(out, "simt_op_copies_commit(nullptr); simt_op_copies_wait(0, nullptr)"), 0;
  if (strcmp(in->part[2], "wait_group") || in->n_args != 1) return -1;
  put(out, "simt_op_copies_wait(static_cast<unsigned>(");
  if (put_source(in, in->arg[0], out)) return -1;
  put(out, "), nullptr)");
  return 0;
}

/* ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4]; */
static int put_load_matrix(const Instruction *in, SimtText *out) {
  int n = has(in, "x1") ? 1 : has(in, "x2") ? 2 : has(in, "x4") ? 4 : 0;
  Word to[8];
  size_t n_to;
  char text[64];
  if (!n || !has(in, "m8n8") || !has_shared(in) || !has(in, "b16") || in->n_args != 2 || members(in->arg[0], to, &n_to) || n_to != (size_t)n)
    return -1;
  snprintf(text, sizeof text, "::simt::ptx::p_load_matrix<%d, %d>(", n, has(in, "trans"));
  put(out, text);
  if (put_address(in, in->arg[1], out)) return -1;
  for (size_t i = 0; i < n_to; i++) {
    put(out, ", ");
    if (!operand(in, to[i]) || put_source(in, to[i], out)) return -1;
  }
  put(out, ")");
  return 0;
}

/* mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {d}, {a}, {b}, {c}; also with k8, of bf16, and with sums in halves. */
static int put_multiply(const Instruction *in, SimtText *out) {
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
    if (members(in->arg[k], reg[k], &n) || n != wants[k]) return -1;
  snprintf(text, sizeof text, "unsigned simt_d[%zu]; ::simt::ptx::p_multiply<::simt::ptx::%s, %d, %s>(simt_d", wants[0], type, blocks,
           floats ? "true" : "false");
  put(out, "{ "), put(out, text);
  for (size_t k = 1; k < 4; k++)
    for (size_t i = 0; i < wants[k]; i++) {
      put(out, ", ");
      if (put_source(in, reg[k][i], out)) return -1;
    }
  put(out, ")");
  for (size_t i = 0; i < wants[0]; i++) {
    put(out, "; ");
    if (put_target(in, reg[0][i], out)) return -1;
    snprintf(text, sizeof text, "simt_d[%zu])", i);
    put(out, text);
  }
  put(out, "; }");
  return 0;
}

/* cvta.to.shared.u64 and cvta.shared.u64: of a generic address, and back. Other spaces have the generic addresses. */
static int put_cvta(const Instruction *in, SimtText *out) {
  int to = has(in, "to");
  if (in->n_args != 2 || in->n_parts != 3 + (size_t)to || put_target(in, in->arg[0], out)) return -1;
  put(out, !has_shared(in) ? "::simt::ptx::p_to<unsigned long long>(" : to ? "::simt::ptx::to_shared(" : "::simt::ptx::in_shared(");
  if (put_source(in, in->arg[1], out)) return -1;
  put(out, "))");
  return 0;
}

/* setp.ne.b32 p, %0, 0; of integers. */
static int put_comparison(const Instruction *in, SimtText *out) {
  static const Pair comparisons[] = {{"eq", " == "}, {"ne", " != "}, {"lt", " < "}, {"le", " <= "}, {"gt", " > "},
                                     {"ge", " >= "}, {"lo", " < "}, {"ls", " <= "}, {"hi", " > "}, {"hs", " >= "}};
  const char *type = last_type(in), *compares = in->n_parts == 3 ? FIND(comparisons, in->part[1]) : NULL;
  const char *to = in->n_args == 3 ? operand(in, in->arg[0]) : NULL;
  if (!type || !compares || !to || strchr(in->part[2], 'f')) return -1;
  put(out, to), put(out, " = ");
  for (size_t i = 1; i < 3; i++) {
    put(out, i > 1 ? compares : ""), put(out, "::simt::ptx::p_to<"), put(out, type), put(out, ">(");
    if (put_source(in, in->arg[i], out)) return -1;
    put(out, ")");
  }
  return 0;
}

/* mov.b64 %0, {%1, %2}; and mov.b64 {%0, %1}, %2; */
static int put_packing(const Instruction *in, SimtText *out) {
  const char *type = last_type(in);
  Word part[8];
  size_t n;
  int packs = in->arg[1][0] == '{';
  char number[32];
  if (!type || members(in->arg[packs], part, &n) || (n != 2 && n != 4)) return -1;
  if (packs) {
    if (put_target(in, in->arg[0], out)) return -1;
    put(out, "::simt::ptx::p_pack<"), put(out, type), put(out, ">(");
    for (size_t i = 0; i < n; i++) {
      put(out, i ? ", " : "");
      if (put_source(in, part[i], out)) return -1;
    }
    put(out, "))");
    return 0;
  }
  for (size_t i = 0; i < n; i++) {
    snprintf(number, sizeof number, ", %zu, %zu>(", i, n);
    put(out, i ? ", " : "");
    if (put_target(in, part[i], out)) return -1;
    put(out, "::simt::ptx::p_part<"), put(out, type), put(out, number);
    if (put_source(in, in->arg[1], out)) return -1;
    put(out, "))");
  }
  return 0;
}

/* The opcode without what does not matter, and its types: `, `-separated. */
static int key_of(const Instruction *in, char *key, size_t size, SimtText *type_list) {
  size_t n = 0;
  for (size_t i = 0; i < in->n_parts; i++) {
    const char *p = in->part[i], *type = i ? FIND(types, p) : NULL;
    if (!strcmp(p, "rn") || !strcmp(p, "ftz") || !strcmp(p, "sync")) continue;
    if (type) put(type_list, type_list->len ? ", " : ""), put(type_list, type);
    else n += (size_t)snprintf(key + n, size - n, "%s%s", i ? "." : "", p);
    if (n >= size) return -1;
  }
  return type_list->len ? 0 : -1;
}

static int put_listed(const Instruction *in, SimtText *out) {
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
  if (!rc) rc = put_target(in, in->arg[0], out);
  if (!rc) put(out, "::simt::ptx::p_"), put(out, listed[k].function), put(out, "<"), put(out, type_list.s), put(out, ">(");
  for (size_t i = 1; !rc && i < in->n_args; i++) {
    put(out, i > 1 ? ", " : "");
    rc = put_source(in, in->arg[i], out);
  }
  if (!rc) put(out, "))");
  free(type_list.s);
  return rc;
}

/* Hints change nothing that a result depends on. */
static int is_hint(const Instruction *in) {
  static const char *const hints[] = {"griddepcontrol", "prefetch", "prefetchu", "applypriority", "pmevent", "setmaxnreg"};
  for (size_t k = 0; k < sizeof hints / sizeof hints[0]; k++)
    if (!strcmp(in->part[0], hints[k])) return 1;
  return 0;
}

static int put_instruction(const Instruction *in, SimtText *out) {
  const char *op = in->part[0];
  if (is_hint(in)) return put(out, "(void)0"), 0;
  if (!strcmp(op, "ld") || !strcmp(op, "ldu")) return put_load(in, out);
  if (!strcmp(op, "st")) return put_store(in, out);
  if (!strcmp(op, "atom") || !strcmp(op, "red")) return put_atomic(in, out);
  if (!strcmp(op, "membar") || !strcmp(op, "fence")) return put_fence(in, out);
  if (!strcmp(op, "bar") || !strcmp(op, "barrier")) return put_barrier(in, out);
  if (!strcmp(op, "cp")) return put_copies(in, out);
  if (!strcmp(op, "ldmatrix")) return put_load_matrix(in, out);
  if (!strcmp(op, "mma")) return put_multiply(in, out);
  if (!strcmp(op, "cvta")) return put_cvta(in, out);
  if (!strcmp(op, "setp")) return put_comparison(in, out);
  if (!strcmp(op, "trap") && in->n_parts == 1) return put(out, "__trap()"), 0;
  if (!strcmp(op, "brkpt") && in->n_parts == 1) return put(out, "__brkpt()"), 0;
  if (!strcmp(op, "nanosleep") && in->n_args == 1) {
    put(out, "__nanosleep(");
    int rc = put_source(in, in->arg[0], out);
    put(out, ")");
    return rc;
  }
  if (!strcmp(op, "mov") && in->n_args == 2 && (in->arg[0][0] == '{' || in->arg[1][0] == '{')) return put_packing(in, out);
  return put_listed(in, out);
}

/* What is said of an instruction that is not known: its text, as a string. */
static void put_refusal(const char *text, SimtText *out) {
  put(out, "simt_op_refused(\"inline PTX '");
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') put(out, "\\");
    simt_text_put(out, is_blank(*text) ? " " : text, 1);
  }
  put(out, "'\", nullptr)");
}

/* `.reg .u64 a, b`: variables. 0; -1: it is something else. */
static int put_declaration(Registers *r, const char *s, const char *end, SimtText *out) {
  Word piece[MAX_REGISTERS], words[4];
  size_t n, n_words;
  if (end - s < 5 || strncmp(s, ".reg", 4) || !is_blank(s[4])) return -1;
  const char *type = skip_blanks(s + 4, end), *names = type;
  while (names < end && !is_blank(*names)) names++;
  if (split(type, names, '.', words, 4, &n_words) || n_words != 2 || split(names, end, ',', piece, MAX_REGISTERS, &n)) return -1;
  const char *cxx = !strcmp(words[1], "pred") ? "bool" : FIND(types, words[1]);
  for (size_t i = 0; i < n; i++) {
    const char *name = behind_percents(piece[i]);
    if (!cxx || !*name || r->n == MAX_REGISTERS || strlen(name) > MAX_WORD - 16 || strcspn(name, "<>$.") != strlen(name)) return -1;
    memcpy(r->name[r->n], name, strlen(name) + 1);
    snprintf(r->variable[r->n], MAX_WORD, "simt_reg_%.47s", name);
    put(out, "[[maybe_unused]] "), put(out, cxx), put(out, " "), put(out, r->variable[r->n++]), put(out, "{}; ");
  }
  return 0;
}

/* `@p` and `@!p` in front of an instruction, as `if`. Behind it; s: there is none; NULL: none that is known. */
static const char *put_guard(const Instruction *in, const char *s, const char *end, SimtText *out) {
  Word name;
  const char *from = s + 1, *to;
  if (*s != '@') return s;
  int is_not = from < end && *from == '!';
  for (to = from += is_not; to < end && !is_blank(*to);) to++;
  set_word(name, from, (size_t)(to - from));
  const char *variable = declared(in, name);
  if (!variable) return NULL;
  put(out, is_not ? "if (!" : "if ("), put(out, variable), put(out, ") { ");
  return skip_blanks(to, end);
}

/* 0, or -1: `out` is a refusal. */
static int put_statement(const SimtAsm *a, Registers *r, const char *s, const char *end, SimtText *out) {
  Instruction in = {.of = a, .registers = r};
  SimtText one = {0};
  if (!put_declaration(r, s, end, out)) return 0;
  const char *at = put_guard(&in, s, end, &one);
  int rc = !at || read_instruction(&in, at, end) || put_instruction(&in, &one) ? -1 : 0;
  if (at && at != s) put(&one, "; }");
  if (rc) snprintf(in.text, sizeof in.text, "%.*s", (int)(end - s), s);
  if (rc) out->len = 0, put_refusal(in.text, out);
  else if (one.failed) out->failed = 1;
  else put(out, one.s), put(out, "; ");
  free(one.s);
  return rc;
}

/* Behind a comment at s, or s. */
static const char *behind_comment(const char *s, const char *end) {
  if (end - s < 2 || s[0] != '/') return s;
  if (s[1] == '/') {
    while (s < end && *s != '\n') s++;
  } else if (s[1] == '*') {
    for (s += 2; end - s >= 2 && (s[0] != '*' || s[1] != '/');) s++;
    s = end - s >= 2 ? s + 2 : end;
  }
  return s;
}

static int put_statements(const SimtAsm *a, const char *s, SimtText *out) {
  Registers registers = {.n = 0};
  for (const char *stop = s; *s; s = *stop ? stop + 1 : stop) {
    stop = s + strcspn(s, ";");
    while (s < stop && (is_blank(*s) || *s == '{' || *s == '}')) s++; /* scopes: names are those of the whole statement */
    if (s < stop && put_statement(a, &registers, s, stop, out)) return -1;
  }
  return 0;
}

int simt_rewrite_ptx(const SimtAsm *a, SimtText *out) {
  SimtText clean = {0}; /* without comments */
  const char *end = a->code.s + a->code.len;
  int rc = -1;
  for (const char *s = a->code.s; s < end;) {
    const char *q = behind_comment(s, end);
    if (q == s) simt_text_put(&clean, s++, 1);
    else s = q;
  }
  put(&clean, "");
  if (clean.failed) out->failed = 1;
  else if (a->is_opaque) put_refusal("made by macros", out);
  else rc = put_statements(a, clean.s, out);
  free(clean.s);
  return rc;
}
