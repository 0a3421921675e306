/* finding.c - which findings are the same. Functions' names take no part: template instances share their source. */
#include "finding.h"
#include <string.h>
#define XXH_INLINE_ALL /* programs of warpfuzz cc have this file in them, and are linked with no library */
#include <xxhash.h>

static const char *file_of(const SimtSite *s) { return s->file ? s->file : ""; }

static int same_site(const SimtSite *a, const SimtSite *b) {
  for (; a && b; a = a->caller, b = b->caller) {
    if (a == b)
      return 1;
    if (a->line != b->line || a->column != b->column || strcmp(file_of(a), file_of(b)) != 0)
      return 0;
  }
  return a == b;
}

static int same_name(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static const char *variant_name(const WfFinding *f) { return f->variant ? f->variant->name : NULL; }
static const char *op_name(const WfFinding *f) { return f->op ? f->op->name : NULL; }

int wf_finding_same(const WfFinding *a, const WfFinding *b) {
  const SimtSite *a1 = a->simt.here.site, *a2 = a->simt.other.site;
  const SimtSite *b1 = b->simt.here.site, *b2 = b->simt.other.site;
  return a->simt.cls == b->simt.cls && !a->outside[0] == !b->outside[0] && !a->device == !b->device &&
         same_name(op_name(a), op_name(b)) &&
         same_name(variant_name(a), variant_name(b)) &&
         ((same_site(a1, b1) && same_site(a2, b2)) || (same_site(a1, b2) && same_site(a2, b1)));
}

int wf_finding_by_relation(const WfFinding *f) {
  const WfRelation *const *r = f->op->relations;
  for (; r && *r; r++)
    if (f->simt.rule && strcmp((*r)->rule, f->simt.rule) == 0)
      return 1;
  return 0;
}

/* The NUL is hashed too, so that "ab", "c" and "a", "bc" differ. */
static uint64_t hash_text(uint64_t h, const char *s) { return XXH64(s ? s : "", s ? strlen(s) + 1 : 0, h); }

static uint64_t hash_u64(uint64_t h, uint64_t v) {
  unsigned char bytes[8]; /* little-endian, whatever the machine */
  for (int i = 0; i < 8; i++)
    bytes[i] = (unsigned char)(v >> 8 * i);
  return XXH64(bytes, sizeof bytes, h);
}

static uint64_t hash_site(const SimtSite *s) {
  uint64_t h = 0;
  for (; s; s = s->caller)
    h = hash_u64(hash_text(h, file_of(s)), (uint64_t)s->line << 32 | s->column);
  return h;
}

uint64_t wf_finding_id(const WfFinding *f) {
  uint64_t a = hash_site(f->simt.here.site), b = hash_site(f->simt.other.site);
  uint64_t h = hash_text(0, simt_class_name(f->simt.cls));
  h = hash_text(hash_text(h, op_name(f)), variant_name(f));
  if (f->outside[0])
    h = hash_text(h, "outside");
  if (f->device)
    h = hash_text(h, "gpu");
  return hash_u64(hash_u64(h, a < b ? a : b), a < b ? b : a);
}
