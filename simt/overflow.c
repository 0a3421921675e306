/* overflow.c - reports of arithmetic that lost bits. Called by what simt_checks.h inlines into kernels, when the loss has been
 * seen already; the kernel goes on with the wrapped value. */
#include "engine.h"

static const char rule_signed[] =
    "signed arithmetic whose result does not fit has no defined value, and compilers assume that it fits (C++17, [expr.pre] 4)";
static const char rule_index[] =
    "unsigned arithmetic is modulo 2^32, and so is what is converted to 32 bits (C++17, [basic.fundamental] 4): a longer index selects another element";

/* Arithmetic on a value that nobody wrote says nothing about the arithmetic, unless that value is 0, with which no local begins. */
static int is_of_poison(const Simt *s) { return s->stats.poison_read && (s->fill || simt_unset_was_read(s)); }

void simt_distant_overflowed(int64_t a, int64_t b, uint32_t op, uint32_t bits, const SimtSite *site) {
  Thread *t = simt_current;
  if (!t && (op == '/' || op == '%')) simt_host_divides(site, "the smallest integer divided by -1"); /* x86 has no such quotient */
  if (!t || is_of_poison(t->simt)) return;
  SimtFinding *f = simt_report(t->simt, SIMT_INT_OVERFLOW, SIMT_ERROR, site, NULL);
  if (!f) return;
  simt_where(&f->here, t, site, "signed arithmetic");
  f->rule = rule_signed;
  if (op == '-' && a == 0)
    simt_detail(f, "-(%lld) does not fit in %u bits, signed", (long long)b, bits);
  else
    simt_detail(f, "%lld %c %lld does not fit in %u bits, signed", (long long)a, (char)op, (long long)b, bits);
}

void simt_distant_wrapped(void *p, int64_t off_bytes, uint32_t is_write, const SimtSite *site, const SimtSite *op) {
  Thread *t = simt_current;
  if (!t || is_of_poison(t->simt)) return;
  Simt *s = t->simt;
  s->wrapped = p;
  SimtFinding *f = simt_report(s, SIMT_INT_OVERFLOW, SIMT_ERROR, site, op);
  if (!f) return;
  simt_where(&f->here, t, site, is_write ? "write" : "read");
  simt_where(&f->other, t, op, "index arithmetic");
  f->rule = rule_index;
  f->size_bytes = 1u << (site->size_log2 & SIMT_SITE_SIZE_MASK);
  uint64_t distance = off_bytes < 0 ? 0 - (uint64_t)off_bytes : (uint64_t)off_bytes;
  simt_detail(f, "an index wrapped around 2^32: %llu bytes lie between the address and the one that the computation means",
              (unsigned long long)distance);
}
