/* draw_outside.c - the ways out of a contract: its block, its formula for the grid, what it promises about values, one part
 * of its condition. Formulas for shared and scratch memory stay: they are the host code's. */
#include "draw.h"
#include <string.h>

size_t wf_draw_part_length(const char *s) {
  size_t and_at = 0;
  int depth = 0;
  for (size_t i = 0; s[i]; i++) {
    depth += (s[i] == '(') - (s[i] == ')');
    if (depth == 0 && (s[i] == '?' || (s[i] == '|' && s[i + 1] == '|')))
      return strlen(s);
    if (depth == 0 && and_at == 0 && s[i] == '&' && s[i + 1] == '&')
      and_at = i;
  }
  return and_at ? and_at : strlen(s);
}

/* Length of the part at s together with the && behind it. */
static size_t step_length(const char *s) {
  size_t n = wf_draw_part_length(s);
  return s[n] ? n + 2 : n;
}

static unsigned count_parts(const char *requires) {
  unsigned n = 0;
  for (const char *s = requires; s && *s; s += step_length(s))
    n++;
  return n;
}

/* The condition without its part number `out`, in d->requires; without any where it does not fit. */
static const char *without_part(WfDraw *d, const char *requires, unsigned out) {
  size_t used = 0;
  unsigned i = 0;
  for (const char *s = requires; *s; s += step_length(s), i++) {
    size_t n = wf_draw_part_length(s);
    if (i == out)
      continue;
    if (used + n + 3 > sizeof d->requires)
      return NULL;
    if (used) {
      memcpy(d->requires + used, "&&", 2);
      used += 2;
    }
    memcpy(d->requires + used, s, n);
    used += n;
  }
  d->requires[used] = '\0';
  return used ? d->requires : NULL;
}

void wf_draw_widen(WfDraw *d) {
  const WfVariant *v = d->v;
  unsigned parts = count_parts(v->requires);
  const int may[3] = {v->block && strcmp(v->block, "1..1024") != 0, v->grid != NULL, v->values > 0};
  unsigned ways = parts + (unsigned)(may[0] + may[1] + may[2]);
  if (ways == 0)
    return;
  d->widened = *v;
  d->v = &d->widened;
  /* One way out always; any of the others with an even chance. */
  unsigned pick = (unsigned)wf_choice_below(d->ch, ways), also = (unsigned)wf_choice_below(d->ch, 8), next = parts;
  int leave[3];
  for (int i = 0; i < 3; i++) {
    leave[i] = may[i] && (pick == next || (also >> i & 1));
    next += (unsigned)may[i];
  }
  if (leave[0])
    d->widened.block = NULL;
  if (leave[1])
    d->widened.grid = NULL;
  if (leave[2])
    d->widened.values = 0;
  if (pick < parts)
    d->widened.requires = without_part(d, v->requires, pick);
}
