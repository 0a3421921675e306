/* unset.c - local variables that nobody has assigned. Called by what simt_checks.h inlines into kernels, when such a value has been
 * seen already. */
#include "engine.h"

static const char rule_unset[] = "a variable without an initialiser has no value until it is assigned (C++17, [dcl.init] 12)";

/* Where a value at one place is in question, it is changed there. */
uint32_t simt_unset_bits(const Simt *s) {
  int others = s->run.fills_locals || s->fill != s->run.fill;
  return others && !s->run.fill_site ? (s->fill >> 24) * 0x01010101u : SIMT_UNSET;
}

int simt_unset_was_read(const Simt *s) {
  for (int i = 0; i < s->stats.poison_read; i++)
    if (s->stats.poison[i].rule == rule_unset) return 1;
  return 0;
}

void simt_distant_unset(const SimtSite *site) {
  Thread *t = simt_current;
  simt_hot.address = (void *)(uintptr_t)SIMT_UNSET;
  if (!t || !(t->simt->detect & SIMT_DETECT_UNINIT) || simt_unset_bits(t->simt) != SIMT_UNSET) return; /* nothing is looked for in further runs */
  SimtFinding *f;
  uint32_t fill = simt_poison(t->simt, SIMT_UNINIT_GLOBAL, site, &f);
  if (t->simt->run.fill_site == site) simt_hot.address = (void *)(uintptr_t)fill;
  if (!f) return;
  const char *name = simt_local_name(site);
  simt_where_itself(&f->here, t, site, "read");
  f->rule = rule_unset;
  f->object = "local variable"; /* its name may be that of a buffer */
  simt_detail(f, "reads %s%s that nobody has assigned", name ? "part of the local variable " : "a local variable", name ? name : "");
}
