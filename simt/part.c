/* part.c - barriers of a part of a block: those of PTX with a number, and of tiles larger than a warp. */
#include "engine.h"

void simt_op_part_meet(uint32_t number, uint32_t n, int waits, const SimtSite *site) {
  Thread *t = simt_current;
  if (!t) return;
  if (number >= SIMT_BLOCK_PARTS || !n) simt_op_trap(site);
  Simt *s = t->simt;
  Block *b = t->warp->block;
  uint32_t phase = b->part_phase[number];
  SimtStrongAccess word = {(uintptr_t)&b->part_phase[number], 1, 1, SIMT_SCOPE_BLOCK, SIMT_ACQ_REL};
  if (s->detect) simt_observe_strong(t, &word);
  if (++b->part_arrived[number] >= n) {
    b->part_arrived[number] = 0;
    b->part_phase[number]++;
  }
  while (waits && b->part_phase[number] == phase) { /* one that never comes makes it a hang */
    simt_give_way(s, SIMT_POLL_STEPS);
    simt_spend(t, site);
  }
  word.writes = 0;
  if (s->detect && waits) simt_observe_strong(t, &word);
}
