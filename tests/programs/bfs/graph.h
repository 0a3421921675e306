/* graph.h - edges of vertex v: edge[start[v]] to edge[start[v + 1] - 1]. */
#ifndef GRAPH_H
#define GRAPH_H
#ifdef __cplusplus
extern "C" {
#endif

typedef struct Graph {
  int n, *start, *edge;
} Graph;

void graph_make(Graph *g, int n);
void graph_levels(const Graph *g, int from, int *level); /* -1: not reached */
void graph_free(Graph *g);

#ifdef __cplusplus
}
#endif
#endif
