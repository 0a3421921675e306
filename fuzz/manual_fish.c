/* manual_fish.c - completion for fish: a line an option of a command. */
#include "manual.h"
#include <string.h>

static const char *const head =
    "# Completion of warpfuzz for fish. Made by wf-manual from fuzz/options.def.\n\n"
    "function __warpfuzz_is # COMMAND: that is the one typed; none: none is yet\n"
    "  set -l words (commandline -opc)\n"
    "  for word in $words[2..-1]\n"
    "    string match -q -- '-*' $word; and continue\n"
    "    test \"$word\" = \"$argv[1]\"\n"
    "    return\n"
    "  end\n"
    "  test -z \"$argv[1]\"\n"
    "end\n\n"
    "function __warpfuzz_names # ops|variants...\n"
    "  set -l program (commandline -opc)[1]\n"
    "  for kind in $argv\n"
    "    $program list $kind 2>/dev/null | string replace -r -f '^([^ :]+).*' '$1'\n"
    "  end\n"
    "end\n\n"
    "complete -c warpfuzz -f\n";

/* Inside single quotes; of several lines one. */
static void put_help(FILE *out, const char *help) {
  for (; *help; help++) {
    if (strchr("'\\", *help)) fputc('\\', out);
    fputc(*help == '\n' ? ' ' : *help, out);
  }
}

/* What stands behind an option that takes a value, or what an operand may be (then without -x and -r). */
static void put_source(FILE *out, WfSource source, const char *words, int is_option) {
  switch (source) {
  case WF_SOURCE_NONE: fputs(is_option ? " -x" : "", out); return;
  case WF_SOURCE_WORDS: fprintf(out, "%s -a '%s'", is_option ? " -x" : "", words); return;
  case WF_SOURCE_FILES: fputs(is_option ? " -r -F" : " -F", out); return;
  case WF_SOURCE_DIRS: fprintf(out, "%s -a '(__fish_complete_directories)'", is_option ? " -x" : ""); return;
  case WF_SOURCE_OPS: fprintf(out, "%s -a '(__warpfuzz_names ops)' -F", is_option ? " -r" : ""); return;
  case WF_SOURCE_TARGETS: fprintf(out, "%s -a '(__warpfuzz_names ops variants)'", is_option ? " -x" : ""); return;
  }
}

static void put_option(FILE *out, WfCommand c, const WfManualOption *o) {
  char words[WF_SOURCE_TEXT];
  const char *brief = wf_manual_brief(o->name);
  fprintf(out, "complete -c warpfuzz -n '__warpfuzz_is %s' -l %s", wf_manual_commands[c].name, o->name);
  if (*brief) fprintf(out, " -s %s", brief + 1);
  WfSource source = wf_manual_value(o, words);
  if (o->argument) put_source(out, source, words, 1);
  fputs(" -d '", out);
  put_help(out, o->help);
  fputs("'\n", out);
}

static void put_cc_options(FILE *out) {
  for (size_t i = 0; i < wf_manual_n_cc_options; i++) {
    const WfManualCcOption *o = &wf_manual_cc_options[i];
    fprintf(out, "complete -c warpfuzz -n '__warpfuzz_is cc' -o %s -l %s", o->brief, o->name);
    const char *words;
    WfSource source = wf_manual_cc_value(o, &words);
    if (o->takes_value) put_source(out, source, words, 1);
    fputc('\n', out);
  }
}

static void put_command(FILE *out, WfCommand c) {
  char words[WF_SOURCE_TEXT];
  const WfManualOption *o;
  fprintf(out, "\ncomplete -c warpfuzz -n '__warpfuzz_is' -a %s -d '", wf_manual_commands[c].name);
  put_help(out, wf_manual_commands[c].summary);
  fputs("'\n", out);
  for (size_t at = 0; (o = wf_manual_next(c, &at)) != NULL;) put_option(out, c, o);
  if (c == WF_COMMAND_CC) put_cc_options(out);
  if (c == WF_COMMAND_CHECK)
    fputs("complete -c warpfuzz -n '__warpfuzz_is check' -s I -x -a '(__fish_complete_directories)' -d 'for the compiler'\n"
          "complete -c warpfuzz -n '__warpfuzz_is check' -s D -x -d 'for the compiler'\n"
          "complete -c warpfuzz -n '__warpfuzz_is check' -s U -x -d 'for the compiler'\n", out);
  WfSource source = wf_manual_operand(c, words);
  fprintf(out, "complete -c warpfuzz -n '__warpfuzz_is %s'", wf_manual_commands[c].name);
  put_source(out, source, words, 0);
  fputc('\n', out);
}

void wf_manual_fish(FILE *out) {
  fputs(head, out);
  fputs("complete -c warpfuzz -n '__warpfuzz_is' -l help -s h -d 'what there is'\n"
        "complete -c warpfuzz -n '__warpfuzz_is' -l version -d 'print the version'\n", out);
  for (int c = 0; c < (int)WF_COMMAND_NONE; c++) put_command(out, (WfCommand)c);
}
