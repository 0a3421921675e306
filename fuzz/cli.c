/* cli.c - what the commands share. */
#include "cli.h"
#include "textbuf.h"
#include <stdarg.h>
#include <stdio.h>

int wf_exit_worse(int a, int b) {
  static const int order[] = {WF_EXIT_HARNESS, WF_EXIT_USAGE, WF_EXIT_FINDINGS, WF_EXIT_NOTHING};
  for (size_t i = 0; i < sizeof order / sizeof *order; i++)
    if (a == order[i] || b == order[i]) return order[i];
  return WF_EXIT_CLEAN;
}

int wf_out_of_memory(void) {
  wf_say("warpfuzz: out of memory");
  return WF_EXIT_HARNESS;
}

int wf_usage(const char *message) {
  wf_say("warpfuzz: %s", message);
  return WF_EXIT_USAGE;
}

void wf_say(const char *format, ...) {
  char line[2 * 4096]; /* two paths */
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  wf_text_plain(line);
  fprintf(stderr, "%s\n", line);
}

const char *wf_exit_word(int status) {
  switch (status) {
  case WF_EXIT_CLEAN:
    return "clean";
  case WF_EXIT_FINDINGS:
    return "findings";
  case WF_EXIT_USAGE:
    return "unreadable input";
  case WF_EXIT_NOTHING:
    return "nothing to run";
  }
  return "failure of the harness";
}
