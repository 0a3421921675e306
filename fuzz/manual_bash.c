/* manual_bash.c - completion for bash: what is the same for all commands, and a table of the words of each. Wants nothing of the package
 * bash-completion but that it loads the file. */
#include "manual.h"
#include <string.h>

static const char *const head =
    "# Completion of warpfuzz for bash. Made by wf-manual from fuzz/options.def.\n\n"
    "_warpfuzz_names() { # PROGRAM ops|variants\n"
    "  \"$1\" list \"$2\" 2>/dev/null | sed -n 's/^\\([^ :][^ :]*\\).*/\\1/p'\n"
    "}\n\n"
    "# _warpfuzz_take PROGRAM WORD SOURCE [WORDS]: fills COMPREPLY.\n"
    "_warpfuzz_take() {\n"
    "  local words=$4\n"
    "  case $3 in\n"
    "  none) return ;;\n"
    "  files) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- \"$2\"); return ;;\n"
    "  dirs) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- \"$2\"); return ;;\n"
    "  ops) words=\"$(_warpfuzz_names \"$1\" ops) $(compgen -f -X '!*.op' -- \"$2\")\" ;;\n"
    "  targets) words=\"$(_warpfuzz_names \"$1\" ops) $(_warpfuzz_names \"$1\" variants)\" ;;\n"
    "  esac\n"
    "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$2\")\n"
    "}\n\n";

static const char *const tail =
    "_warpfuzz() {\n"
    "  local program=$1 word=${COMP_WORDS[COMP_CWORD]} command= option= i\n"
    "  COMPREPLY=()\n"
    "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
    "    [[ ${COMP_WORDS[i]} == -* ]] || { command=${COMP_WORDS[i]}; break; }\n"
    "  done\n"
    "  [[ $program == */* || $program != '~'* ]] || program=${program/#\\~/$HOME}\n"
    "  # --backend=si is three words to bash\n"
    "  if [[ $word == = ]]; then\n"
    "    option=${COMP_WORDS[COMP_CWORD - 1]} word=\n"
    "  elif [[ ${COMP_WORDS[COMP_CWORD - 1]} == = && COMP_CWORD -gt 1 ]]; then\n"
    "    option=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "  else\n"
    "    option=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "  fi\n"
    "  if [[ -z $command ]]; then\n"
    "    _warpfuzz_take \"$program\" \"$word\" words \"$_warpfuzz_commands --help --version\"\n"
    "  elif [[ $option == -* ]] && _warpfuzz_value \"$program\" \"$word\" \"$command:$option\"; then\n"
    "    :\n"
    "  elif [[ $word == -* ]]; then\n"
    "    _warpfuzz_options \"$program\" \"$word\" \"$command\"\n"
    "  else\n"
    "    _warpfuzz_operand \"$program\" \"$word\" \"$command\"\n"
    "  fi\n"
    "}\n"
    "complete -F _warpfuzz warpfuzz\n";

static const char *source_name(WfSource s) {
  switch (s) {
  case WF_SOURCE_NONE: return "none";
  case WF_SOURCE_WORDS: return "words";
  case WF_SOURCE_FILES: return "files";
  case WF_SOURCE_DIRS: return "dirs";
  case WF_SOURCE_OPS: return "ops";
  case WF_SOURCE_TARGETS: return "targets";
  }
  return "none";
}

static void put_take(FILE *out, const char *pattern, WfSource source, const char *words) {
  fprintf(out, "  %s) _warpfuzz_take \"$1\" \"$2\" %s", pattern, source_name(source));
  if (source == WF_SOURCE_WORDS) fprintf(out, " '%s'", words);
  fputs(" ;;\n", out);
}

static void put_cc_values(FILE *out) {
  for (size_t i = 0; i < wf_manual_n_cc_options; i++) {
    const WfManualCcOption *o = &wf_manual_cc_options[i];
    char pattern[160];
    const char *words;
    WfSource source = wf_manual_cc_value(o, &words);
    snprintf(pattern, sizeof pattern, "cc:-%s|cc:-%s|cc:--%s", o->brief, o->name, o->name);
    if (o->takes_value) put_take(out, pattern, source, words);
  }
}

/* Values of options; the function fails for an option that takes none. */
static void put_values(FILE *out) {
  char words[WF_SOURCE_TEXT], pattern[160];
  fputs("_warpfuzz_value() { # PROGRAM WORD COMMAND:OPTION\n  case $3 in\n", out);
  for (int c = 0; c < (int)WF_COMMAND_NONE; c++) {
    const WfManualOption *o;
    for (size_t at = 0; (o = wf_manual_next((WfCommand)c, &at)) != NULL;) {
      if (!o->argument) continue;
      const char *name = wf_manual_commands[c].name, *brief = wf_manual_brief(o->name);
      snprintf(pattern, sizeof pattern, "%s:--%s", name, o->name);
      if (*brief) snprintf(pattern, sizeof pattern, "%s:--%s|%s:%s", name, o->name, name, brief);
      WfSource source = wf_manual_value(o, words);
      put_take(out, pattern, source, words);
    }
  }
  put_cc_values(out);
  fputs("  check:-I) _warpfuzz_take \"$1\" \"$2\" dirs ;;\n  *) return 1 ;;\n  esac\n}\n\n", out);
}

static void put_options(FILE *out) {
  fputs("_warpfuzz_options() { # PROGRAM WORD COMMAND\n  case $3 in\n", out);
  for (int c = 0; c < (int)WF_COMMAND_NONE; c++) {
    const WfManualOption *o;
    fprintf(out, "  %s) _warpfuzz_take \"$1\" \"$2\" words '", wf_manual_commands[c].name);
    for (size_t at = 0; (o = wf_manual_next((WfCommand)c, &at)) != NULL;) fprintf(out, " --%s %s", o->name, wf_manual_brief(o->name));
    for (size_t i = 0; c == WF_COMMAND_CC && i < wf_manual_n_cc_options; i++)
      fprintf(out, " -%s --%s", wf_manual_cc_options[i].brief, wf_manual_cc_options[i].name);
    fprintf(out, "%s' ;;\n", c == WF_COMMAND_CHECK ? " -I -D -U -std=c++14 -std=c++17 -std=c++20" : "");
  }
  fputs("  esac\n}\n\n", out);
}

static void put_operands(FILE *out) {
  char words[WF_SOURCE_TEXT];
  fputs("_warpfuzz_operand() { # PROGRAM WORD COMMAND\n  case $3 in\n", out);
  for (int c = 0; c < (int)WF_COMMAND_NONE; c++) {
    WfSource source = wf_manual_operand((WfCommand)c, words);
    put_take(out, wf_manual_commands[c].name, source, words);
  }
  fputs("  esac\n}\n\n_warpfuzz_commands='", out);
  for (int c = 0; c < (int)WF_COMMAND_NONE; c++) fprintf(out, "%s%s", c ? " " : "", wf_manual_commands[c].name);
  fputs("'\n\n", out);
}

void wf_manual_bash(FILE *out) {
  fputs(head, out);
  put_values(out);
  put_options(out);
  put_operands(out);
  fputs(tail, out);
}
