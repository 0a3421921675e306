/* graph.c - a graph of some thousand edges, and its levels by the host. */
#include "graph.h"
#include <stdlib.h>

void graph_make(Graph *g, int n) {
  unsigned seed = 12345;
  g->n = n;
  g->start = malloc((n + 1) * sizeof *g->start);
  g->edge = malloc((size_t)n * 6 * sizeof *g->edge);
  g->start[0] = 0;
  for (int v = 0, e = 0; v < n; v++) {
    for (int k = v % 6; k >= 0; k--) {
      seed = seed * 1103515245u + 12345u;
      g->edge[e++] = (int)((seed >> 8) % (unsigned)n);
    }
    g->start[v + 1] = e;
  }
}

void graph_levels(const Graph *g, int from, int *level) {
  int *queue = malloc(g->n * sizeof *queue), head = 0, tail = 0;
  for (int v = 0; v < g->n; v++) level[v] = -1;
  level[from] = 0;
  queue[tail++] = from;
  while (head < tail) {
    int v = queue[head++];
    for (int e = g->start[v]; e < g->start[v + 1]; e++)
      if (level[g->edge[e]] < 0) {
        level[g->edge[e]] = level[v] + 1;
        queue[tail++] = g->edge[e];
      }
  }
  free(queue);
}

void graph_free(Graph *g) {
  free(g->start);
  free(g->edge);
}
