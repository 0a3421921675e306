/* grid.c - the barrier of a grid: cooperative groups' grid sync. */
#include "engine.h"

void simt_op_grid_meet(const SimtSite *site) {
  Thread *t = simt_current;
  if (!t) return;
  Simt *s = t->simt;
  Launch *l = &s->launch;
  uint64_t turn = l->grid_turn;
  /* No address that anything could have, and another one for each launch: those of other streams have barriers of their own. */
  SimtStrongAccess word = {1ull << 63 | s->stats.launches << 2, 1, 1, SIMT_SCOPE_DEVICE, SIMT_ACQ_REL};
  if (s->detect) simt_observe_strong(t, &word);
  if (++l->grid_arrived == l->n_blocks) {
    l->grid_arrived = 0;
    l->grid_turn++;
  }
  while (l->grid_turn == turn) { /* a block that never comes, or for which there is no room, makes it a hang */
    simt_give_way(s, SIMT_POLL_STEPS);
    simt_spend(t, site);
  }
  word.writes = 0;
  if (s->detect) simt_observe_strong(t, &word);
}
