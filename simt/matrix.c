/* matrix.c - where a warp loads and stores its matrices (nvcuda::wmma): the address and the distance of its lines. Accesses to the elements have
 * callbacks of their own. */
#include "engine.h"

enum { START_BYTES = 32, LINE_BYTES = 16 };
static const char rule_start[] = "the pointer must be 256-bit aligned (CUDA C++ Programming Guide, Warp Matrix Functions)";
static const char rule_lines[] =
    "the stride must be a multiple of 16 bytes: of 8 for __half, of 4 for float elements (CUDA C++ Programming Guide, Warp Matrix Functions)";

typedef struct Matrix {
  const void *at;
  uint32_t elem_bytes;
  int is_stored;
} Matrix;

static SimtFinding *report(Thread *t, const Matrix *m, const char *rule, const SimtSite *site) {
  Simt *s = t->simt;
  const Slot *o = simt_slot_of(s, (uintptr_t)m->at);
  SimtFinding *f = simt_report(s, SIMT_MISALIGNED, SIMT_ERROR, site, NULL);
  if (!f) return NULL;
  simt_where(&f->here, t, site, m->is_stored ? "write" : "read");
  f->rule = rule;
  f->size_bytes = m->elem_bytes;
  simt_object(s, f, o, (uintptr_t)m->at - o->base);
  return f;
}

/* In the thread's own frame the compiler decides what lies where, and an address in no object is told of by the accesses. */
SIMT_ON_FIBER void simt_op_matrix(const void *at, uint32_t stride_elems, uint32_t elem_bytes, int is_stored, const SimtSite *site) {
  Thread *t = simt_current;
  const Matrix m = {at, elem_bytes, is_stored};
  const uint64_t past = (uintptr_t)at % START_BYTES, line_bytes = (uint64_t)stride_elems * elem_bytes;
  if (!t || !simt_slot_of(t->simt, (uintptr_t)at) || (!past && line_bytes % LINE_BYTES == 0)) return;
  SimtFinding *f = report(t, &m, past ? rule_start : rule_lines, site);
  if (!f) return;
  if (past)
    simt_detail(f, "%s of a matrix at an address that is %u bytes past a multiple of %d", f->here.access, (unsigned)past, START_BYTES);
  else
    simt_detail(f, "%s of a matrix whose lines are %u elements of %u bytes apart, which is no multiple of %d bytes", f->here.access,
                (unsigned)stride_elems, (unsigned)elem_bytes, LINE_BYTES);
}
