/* rewrite_ptx_memory.c - PTX instructions that access memory or order such accesses. */
#include "rewrite_ptx.h"
#include <stdio.h>

static const Pair orders[] = {{"relaxed", "SIMT_RELAXED"}, {"volatile", "SIMT_RELAXED"}, {"acquire", "SIMT_ACQUIRE"},
                              {"release", "SIMT_RELEASE"}, {"acq_rel", "SIMT_ACQ_REL"}};
static const Pair scopes[] = {{"cta", "SIMT_SCOPE_BLOCK"}, {"gpu", "SIMT_SCOPE_DEVICE"}, {"gl", "SIMT_SCOPE_DEVICE"},
                              {"sys", "SIMT_SCOPE_SYSTEM"}};

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
  put(out, ", "), put(out, scope ? scope : simt_ptx_has(in, "volatile") ? "SIMT_SCOPE_SYSTEM" : "SIMT_SCOPE_DEVICE");
}

static int vector_elems(const Instruction *in) { return simt_ptx_has(in, "v2") ? 2 : simt_ptx_has(in, "v4") ? 4 : simt_ptx_has(in, "v8") ? 8 : 1; }

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

int simt_ptx_put_load(const Instruction *in, SimtText *out) {
  const char *type = simt_ptx_last_type(in);
  Word to[8];
  size_t n;
  char count[32];
  if (!type || in->n_args != 2 || !is_plain_access(in) || simt_ptx_members(in->arg[0], to, &n) || n != (size_t)vector_elems(in)) return -1;
  snprintf(count, sizeof count, ", %zu", n);
  if (n == 1 && simt_ptx_put_target(in, to[0], out)) return -1;
  put(out, n == 1 ? "::simt::ptx::p_load<" : "::simt::ptx::p_load_vector<"), put(out, type);
  if (n > 1) put(out, count);
  put_strength(in, out);
  put(out, ">(");
  if (simt_ptx_put_address(in, in->arg[1], out)) return -1;
  for (size_t i = 0; n > 1 && i < n; i++) {
    put(out, ", ");
    if (!simt_ptx_operand(in, to[i]) || simt_ptx_put_source(in, to[i], out)) return -1;
  }
  put(out, n == 1 ? "))" : ")");
  return 0;
}

int simt_ptx_put_store(const Instruction *in, SimtText *out) {
  const char *type = simt_ptx_last_type(in);
  Word from[8];
  size_t n;
  if (!type || in->n_args != 2 || !is_plain_access(in) || simt_ptx_members(in->arg[1], from, &n) || n != (size_t)vector_elems(in)) return -1;
  put(out, "::simt::ptx::p_store<"), put(out, type);
  put_strength(in, out);
  put(out, ">(");
  if (simt_ptx_put_address(in, in->arg[0], out)) return -1;
  for (size_t i = 0; i < n; i++) {
    put(out, ", ");
    if (simt_ptx_put_source(in, from[i], out)) return -1;
  }
  put(out, ")");
  return 0;
}

/* atom has a result, red has none. */
int simt_ptx_put_atomic(const Instruction *in, SimtText *out) {
  static const char *const ops[] = {"add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"};
  const char *type = simt_ptx_last_type(in), *op = NULL;
  size_t first = !strcmp(in->part[0], "atom");
  for (size_t k = 0; k < sizeof ops / sizeof ops[0]; k++)
    if (simt_ptx_has(in, ops[k])) op = ops[k];
  if (!type || !op || !is_plain_access(in) || vector_elems(in) > 1 || in->n_args != first + 2 + !strcmp(op, "cas")) return -1;
  if (first && simt_ptx_put_target(in, in->arg[0], out)) return -1;
  put(out, "::simt::ptx::p_atomic<::simt::ptx::op_"), put(out, op), put(out, ", "), put(out, type);
  put_strength(in, out);
  put(out, ">(");
  if (simt_ptx_put_address(in, in->arg[first], out)) return -1;
  for (size_t i = first + 1; i < in->n_args; i++) {
    put(out, ", ");
    if (simt_ptx_put_source(in, in->arg[i], out)) return -1;
  }
  put(out, first ? "))" : ")");
  return 0;
}

int simt_ptx_put_fence(const Instruction *in, SimtText *out) {
  const char *scope = FIND(scopes, in->part[in->n_parts - 1]);
  if (!scope || in->n_args || in->n_parts > 3) return -1;
  if (in->n_parts == 3 && strcmp(in->part[1], "sc") && strcmp(in->part[1], "acq_rel")) return -1;
  put(out, "simt_op_fence("), put(out, scope), put(out, ", nullptr)");
  return 0;
}

int simt_ptx_put_barrier(const Instruction *in, SimtText *out) {
  if (simt_ptx_has(in, "warp") && in->n_args == 1) { /* bar.warp.sync mask */
    put(out, "__syncwarp(");
    if (simt_ptx_put_source(in, in->arg[0], out)) return -1;
    put(out, ")");
    return 0;
  }
  int waits = simt_ptx_has(in, "sync");
  if (!(waits || simt_ptx_has(in, "arrive")) || simt_ptx_has(in, "cluster") || simt_ptx_has(in, "red")) return -1;
  if (waits && in->n_args == 1 && !strcmp(in->arg[0], "0")) return put(out, "__syncthreads()"), 0;
  if (in->n_args != 2) return -1;
  put(out, "::simt::ptx::p_barrier(");
  for (size_t i = 0; i < 2; i++) {
    if (simt_ptx_put_source(in, in->arg[i], out)) return -1;
    put(out, ", ");
  }
  put(out, waits ? "1)" : "0)");
  return 0;
}

/* cp.async.ca.shared.global [%0], [%1], 16, %2; the last operand, bytes that are copied or a predicate that says none, may be missing. */
static int put_copy(const Instruction *in, SimtText *out) {
  if (in->n_args < 3 || in->n_args > 4 || !simt_ptx_has_shared(in) || !simt_ptx_has(in, "global") || !(simt_ptx_has(in, "ca") || simt_ptx_has(in, "cg"))) return -1;
  for (size_t i = 2; i < in->n_parts; i++) {
    const char *p = in->part[i];
    if ((strncmp(p, "L2::", 4) || !strcmp(p, "L2::cache_hint")) && strcmp(p, "ca") && strcmp(p, "cg") && strncmp(p, "shared", 6) && strcmp(p, "global")) return -1;
  }
  put(out, "::simt::ptx::p_copy_async(");
  if (simt_ptx_put_address_in(in, in->arg[0], 1, out)) return -1;
  put(out, ", ");
  if (simt_ptx_put_address_in(in, in->arg[1], 0, out)) return -1;
  for (size_t i = 2; i < in->n_args; i++) {
    put(out, ", ");
    if (simt_ptx_put_source(in, in->arg[i], out)) return -1;
  }
  put(out, ")");
  return 0;
}

int simt_ptx_put_copies(const Instruction *in, SimtText *out) {
  if (in->n_parts < 3 || strcmp(in->part[1], "async")) return -1;
  if (in->n_parts > 3) return put_copy(in, out);
  if (!strcmp(in->part[2], "commit_group") && !in->n_args) return put(out, "simt_op_copies_commit(nullptr)"), 0;
  if (!strcmp(in->part[2], "wait_all") && !in->n_args)
    return put(out, "simt_op_copies_commit(nullptr); simt_op_copies_wait(0, nullptr)"), 0;
  if (strcmp(in->part[2], "wait_group") || in->n_args != 1) return -1;
  put(out, "simt_op_copies_wait(static_cast<unsigned>(");
  if (simt_ptx_put_source(in, in->arg[0], out)) return -1;
  put(out, "), nullptr)");
  return 0;
}

/* cvta.to.shared.u64 and cvta.shared.u64: of a generic address, and back. Other spaces have the generic addresses. */
int simt_ptx_put_cvta(const Instruction *in, SimtText *out) {
  int to = simt_ptx_has(in, "to");
  if (in->n_args != 2 || in->n_parts != 3 + (size_t)to || simt_ptx_put_target(in, in->arg[0], out)) return -1;
  put(out, !simt_ptx_has_shared(in) ? "::simt::ptx::p_to<unsigned long long>(" : to ? "::simt::ptx::to_shared(" : "::simt::ptx::in_shared(");
  if (simt_ptx_put_source(in, in->arg[1], out)) return -1;
  put(out, "))");
  return 0;
}
