/* manual_zsh.c - completion for zsh: a call of _arguments a command. */
#include "manual.h"
#include <string.h>

static const char *const head =
    "#compdef warpfuzz\n"
    "# Completion of warpfuzz for zsh. Made by wf-manual from fuzz/options.def.\n\n"
    "_warpfuzz_names() { # ops|variants...\n"
    "  local kind; local -a names\n"
    "  for kind; do names+=(${(f)\"$(_call_program names $program list $kind 2>/dev/null | sed -n 's/^\\([^ :][^ :]*\\).*/\\1/p')\"}); done\n"
    "  compadd \"$expl[@]\" -a names\n"
    "}\n"
    "_warpfuzz_targets() { _warpfuzz_names ops variants }\n"
    "_warpfuzz_ops() { _warpfuzz_names ops; _files -g '*.op' }\n\n";

/* Inside single quotes and the brackets of a description. */
static void put_help(FILE *out, const char *help) {
  for (; *help; help++) {
    if (strchr("[]:\\", *help)) fputc('\\', out);
    if (*help == '\'') fputs("'\\''", out);
    else fputc(*help == '\n' ? ' ' : *help, out);
  }
}

static void put_source(FILE *out, WfSource source, const char *words) {
  switch (source) {
  case WF_SOURCE_NONE: fputs(" ", out); return;
  case WF_SOURCE_WORDS: fprintf(out, "(%s)", words); return;
  case WF_SOURCE_FILES: fputs("_files", out); return;
  case WF_SOURCE_DIRS: fputs("_files -/", out); return;
  case WF_SOURCE_OPS: fputs("_warpfuzz_ops", out); return;
  case WF_SOURCE_TARGETS: fputs("_warpfuzz_targets", out); return;
  }
}

/* '--name=[help]:ARGUMENT:what', which stands for both "--name value" and "--name=value"; '-o+[...' for "-o value" and "-ovalue". */
static void put_option(FILE *out, const char *dashed, const WfManualOption *o) {
  char words[WF_SOURCE_TEXT];
  const char *joined = !o->argument ? "" : dashed[1] == '-' ? "=" : "+";
  fprintf(out, " \\\n      '%s%s[", dashed, joined);
  put_help(out, o->help);
  fputc(']', out);
  if (o->argument) {
    WfSource source = wf_manual_value(o, words);
    fprintf(out, ":%s:", o->argument);
    put_source(out, source, words);
  }
  fputc('\'', out);
}

/* '-name=:value:what' stands for "-name value" and "-name=value"; '-O+:...' for "-O 3" and "-O3", which cc takes of these letters. */
static void put_cc_option(FILE *out, const char *dashes, const char *name, const WfManualCcOption *o) {
  const char *words, *joined = !o->takes_value ? "" : name[1] || dashes[1] ? "=" : strchr("DUILlOmt", *name) ? "+" : "";
  WfSource source = wf_manual_cc_value(o, &words);
  fprintf(out, " '%s%s%s", dashes, name, joined);
  if (o->takes_value) fputs(":value:", out);
  if (o->takes_value) put_source(out, source, words);
  fputc('\'', out);
}

static void put_cc_options(FILE *out) {
  for (size_t i = 0; i < wf_manual_n_cc_options; i++) {
    const WfManualCcOption *o = &wf_manual_cc_options[i];
    fputs(" \\\n     ", out);
    put_cc_option(out, "-", o->brief, o);
    put_cc_option(out, "--", o->name, o);
  }
}

static void put_command(FILE *out, WfCommand c) {
  char words[WF_SOURCE_TEXT], dashed[64];
  const WfManualOption *o;
  fprintf(out, "    %s)\n      _arguments", wf_manual_commands[c].name);
  for (size_t at = 0; (o = wf_manual_next(c, &at)) != NULL;) {
    snprintf(dashed, sizeof dashed, "--%s", o->name);
    put_option(out, dashed, o);
    if (*wf_manual_brief(o->name)) put_option(out, wf_manual_brief(o->name), o);
  }
  if (c == WF_COMMAND_CC) put_cc_options(out);
  if (c == WF_COMMAND_CHECK)
    fputs(" \\\n      '*-I+[for the compiler]:folder:_files -/' '*-D+[for the compiler]:NAME=VALUE: ' '*-U+[for the compiler]:NAME: '", out);
  WfSource source = wf_manual_operand(c, words);
  fputs(" \\\n      '*:operand:", out);
  put_source(out, source, words);
  fputs("' ;;\n", out);
}

void wf_manual_zsh(FILE *out) {
  fputs(head, out);
  fputs("_warpfuzz() {\n  local program=$words[1] expl\n  local -a commands=(\n", out);
  for (int c = 0; c < (int)WF_COMMAND_NONE; c++) {
    fprintf(out, "    '%s:", wf_manual_commands[c].name);
    put_help(out, wf_manual_commands[c].summary);
    fputs("'\n", out);
  }
  fputs("  )\n"
        "  if ((CURRENT == 2)); then\n"
        "    _describe command commands\n"
        "    _arguments '--help[what there is]' '--version[print the version]'\n"
        "    return\n"
        "  fi\n"
        "  local command=$words[2]\n"
        "  shift words\n"
        "  ((CURRENT--))\n"
        "  case $command in\n",
        out);
  for (int c = 0; c < (int)WF_COMMAND_NONE; c++) put_command(out, (WfCommand)c);
  fputs("  esac\n}\n\n_warpfuzz \"$@\"\n", out);
}
