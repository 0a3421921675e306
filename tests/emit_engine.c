/* emit_engine.c - runs an emitted program, whose main() is called emitted_main(), on the engine as its device. Exit status: the
 * program's; 99 where the engine cut it short. */
#include "../simt/simt.h"
#include <stdio.h>
#include <stdlib.h>

int emitted_main(int argc, char **argv);

typedef struct Program {
  int argc;
  char **argv;
  int status;
} Program;

static void call(void *arg) {
  Program *p = arg;
  p->status = emitted_main(p->argc, p->argv);
}

int main(int argc, char **argv) {
  Program p = {argc, argv, 99};
  Simt *engine;
  SimtStats stats;
  size_t n;
  const SimtRun run = {.detect = SIMT_DETECT_ALL, .fill = 0x7fc0beef};
  if (simt_create(&engine) != 0)
    return 99;
  simt_begin(engine, &run);
  simt_call(engine, call, &p);
  simt_end(engine, &stats);
  const SimtFinding *found = simt_findings(engine, &n);
  for (size_t i = 0; i < n; i++)
    printf("engine: %s %s\n", simt_class_name(found[i].cls), found[i].detail);
  simt_destroy(engine);
  fflush(stdout);
  _Exit(p.status); /* what the program has for its end is for one that nobody cut short */
}
