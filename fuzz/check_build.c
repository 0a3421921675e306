/* check_build.c - compiles a user's kernel, makes the tables beside it, and links both with the libraries. */
#define _POSIX_C_SOURCE 200809L
#include "check_plan.h"
#include "cli.h"
#include "entry.h"
#include "finding.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A main() of the file's own must be neither called nor linked: as a static function that nobody calls it is dropped. For the engine its
 * body goes before that, since it may call what the engine has not. */
#define MAIN_IS_DROPPED "static __attribute__((unused)) wf_main_of_the_file"

static const char *const built[] = {"entry.inc", "kernel.o", "tables.c", "tables.o", "op.c", "op.o", "gpu.cu", "gpu.nvcc.o", "gpu.o", "log"};

static int write_file(const WfCheckPlan *p, const char *name, const char *text) {
  char err[WF_CASE_ERROR_MAX];
  if (!text)
    return wf_out_of_memory();
  if (wf_file_write_soon(p->dir, name, text, strlen(text), err, sizeof err) == 0)
    return WF_EXIT_CLEAN;
  wf_say("warpfuzz: %s", err);
  return WF_EXIT_HARNESS;
}

static int write_text(const WfCheckPlan *p, const char *name, WfText *t) {
  char *text = wf_text_take(t);
  int status = write_file(p, name, text);
  free(text);
  return status;
}

/* ---- running tools ---- */

typedef void Tell(const WfCheckPlan *p, FILE *log);

/* Runs it and frees its arguments. failed: what its failure means, told by tell() from its output. */
static int run(const WfCheckPlan *p, WfArgs *a, int failed, Tell *tell) {
  char path[WF_CHECK_PATH + 8];
  snprintf(path, sizeof path, "%s/log", p->dir);
  int rc = wf_args_run(a, path), reason = errno;
  if (rc < 0)
    wf_say("warpfuzz: %.200s: %s", a->n ? a->arg[0] : "no memory", strerror(reason));
  FILE *log = rc > 0 ? fopen(path, "r") : NULL;
  if (log) {
    tell(p, log);
    fclose(log);
  }
  wf_args_free(a);
  return rc == 0 ? WF_EXIT_CLEAN : rc < 0 || rc > 128 ? WF_EXIT_HARNESS : failed;
}

static void tell_all(const WfCheckPlan *p, FILE *log) {
  (void)p;
  for (int ch; (ch = getc(log)) != EOF;)
    fputc(ch, stderr);
}

/* The name that the compiler does not know, of "--launch:1:1: error: use of undeclared identifier 'k'". */
static int is_unknown_name(const char *line, char name[WF_CHECK_NAME]) {
  static const char *const phrases[] = {"use of undeclared identifier '", "unknown template name '", "no template named '", "identifier \""};
  if (strncmp(line, "--launch", 8) != 0)
    return 0;
  for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
    const char *at = strstr(line, phrases[i]);
    if (at) {
      at += strlen(phrases[i]);
      snprintf(name, WF_CHECK_NAME, "%.*s", (int)strcspn(at, "'\""), at);
      return 1;
    }
  }
  return 0;
}

static void add_entry_name(const WfCheckPlan *p, const char *prefix, WfText *t) {
  wf_text_add(t, "%s_", prefix);
  for (const char *s = p->op->name; *s; s++)
    wf_text_add(t, "%c", isalnum((unsigned char)*s) ? *s : '_');
  wf_text_add(t, "_%s", p->name);
}

/* The entry's name in a message is nothing that the user has typed. */
static void put_without_entry(const WfCheckPlan *p, const char *line) {
  WfText t = {0};
  add_entry_name(p, "wf_entry", &t);
  char *entry = wf_text_take(&t);
  size_t n = entry ? strlen(entry) : 0;
  const char *at = entry ? strstr(line, entry) : NULL;
  if (at)
    fprintf(stderr, "%.*sthe statement of --launch%s", (int)(at - line), line, at + n);
  else
    fputs(line, stderr);
  free(entry);
}

/* A line of the statement as the compiler shows it, with the launch rewritten: the user's own takes its place, and the one below it, whose
 * marks are for the other, goes. 1: it was one. */
static int is_rewritten_line(const WfCheckPlan *p, const char *line, int *skip_marks) {
  if (*skip_marks) {
    *skip_marks = 0;
    if (line[strspn(line, " |^~\n")] == '\0')
      return 1;
  }
  if (!strstr(line, "::simt::configure("))
    return 0;
  fprintf(stderr, "    %s\n", p->o->launch);
  *skip_marks = 1;
  return 1;
}

/* What the compiler said, but for the steps of simt-cc, of which the user need not know, and what is wrong with the entry because something
 * is wrong with the file. */
static void tell_compiler(const WfCheckPlan *p, FILE *log) {
  char *line = NULL, name[WF_CHECK_NAME];
  size_t room = 0;
  int skip_marks = 0;
  for (int n = 0; getline(&line, &room, log) > 0; n++) {
    if (n > 0 && strncmp(line, "entry of ", 9) == 0)
      break;
    if (is_unknown_name(line, name)) {
      wf_say("warpfuzz: --launch: %s has no '%s', nor is it in scope (warpfuzz check --help)", p->o->operands[0], name);
      break;
    }
    if (strncmp(line, "simt-cc: ", 9) != 0 && !is_rewritten_line(p, line, &skip_marks))
      put_without_entry(p, line);
  }
  free(line);
}

static int is_of_reference(const WfCheckPlan *p, const char *name) {
  return p->has_spec && (strcmp(name, p->spec.function) == 0 || (p->spec.bound && strcmp(name, p->spec.bound) == 0));
}

/* Missing functions, by name; anything else as the linker says it. */
static void tell_linker(const WfCheckPlan *p, FILE *log) {
  static const char phrase[] = "undefined reference to `";
  char *line = NULL, last[256] = "";
  size_t room = 0;
  int n = 0;
  while (getline(&line, &room, log) > 0) {
    const char *at = strstr(line, phrase);
    if (!at)
      continue;
    char name[256];
    at += sizeof phrase - 1;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(at, "'"), at);
    if (strcmp(name, last) != 0)
      wf_say("warpfuzz: %s: %s is %s and not defined there", is_of_reference(p, name) ? p->spec.c_file : p->o->operands[0], name,
             is_of_reference(p, name) ? "what --op names" : "called");
    strcpy(last, name);
    n++;
  }
  rewind(log);
  if (!n)
    tell_all(p, log);
  free(line);
}

/* ---- the kernel on the engine ---- */

static void add_options(const WfCheckPlan *p, WfArgs *a) {
  for (int i = 0; i < p->o->n_compile; i++)
    wf_args_add(a, "%s", p->o->compile[i]);
}

static int build_kernel(const WfCheckPlan *p) {
  WfArgs a = {0};
  WfText symbol = {0};
  char *entry = wf_entry_source(p->op, &p->v, "--launch");
  int status = write_file(p, "entry.inc", entry);
  free(entry);
  if (status != WF_EXIT_CLEAN)
    return status;
  add_entry_name(p, "wf_entry", &symbol);
  char *name = wf_text_take(&symbol);
  wf_args_add(&a, "%s/simt/simt-cc", p->tools.root);
  add_options(p, &a);
  wf_args_add(&a, "--drop-main");
  wf_args_add(&a, "-Dmain=" MAIN_IS_DROPPED);
  wf_args_add(&a, "--flavor");
  wf_args_add(&a, "%s", wf_flavor_name(p->v.flavor));
  wf_args_add(&a, "--entry");
  wf_args_add(&a, "%s/entry.inc", p->dir);
  wf_args_add(&a, "--keep");
  wf_args_add(&a, "%s", name ? name : "");
  wf_args_add(&a, "-o");
  wf_args_add(&a, "%s/kernel.o", p->dir);
  wf_args_add(&a, "%s", p->o->operands[0]);
  free(name);
  return run(p, &a, WF_EXIT_USAGE, tell_compiler);
}

/* ---- with nvcc ---- */

static void add_folder_of(const char *path, WfArgs *a) {
  const char *slash = strrchr(path, '/');
  wf_args_add(a, "-I");
  wf_args_add(a, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
}

/* The file and the entry in one, as the engine has them. No -MD, and no other names than the user's. */
static int write_gpu_source(const WfCheckPlan *p) {
  WfText t = {0};
  char *source = wf_text_read(p->o->operands[0]), *entry = wf_entry_source(p->op, &p->v, "--launch");
  wf_text_add(&t, "#define main " MAIN_IS_DROPPED "\n#line 1 ");
  wf_text_add_c(&t, p->o->operands[0]);
  wf_text_add(&t, "\n");
  if (source)
    wf_text_put(&t, source, strlen(source));
  if (entry)
    wf_text_put(&t, entry, strlen(entry));
  t.failed |= !source || !entry;
  free(source);
  free(entry);
  return write_text(p, "gpu.cu", &t);
}

/* Only the entry stays visible, under the name that tables have for the device's. */
static int join_gpu(const WfCheckPlan *p) {
  WfArgs a = {0};
  WfText from = {0}, to = {0};
  wf_args_add(&a, "%s", p->tools.ld);
  wf_args_add_words(&a, "-r --force-group-allocation -o");
  wf_args_add(&a, "%s/gpu.o", p->dir);
  wf_args_add(&a, "%s/gpu.nvcc.o", p->dir);
  int status = run(p, &a, WF_EXIT_HARNESS, tell_all);
  add_entry_name(p, "wf_entry", &from);
  add_entry_name(p, "wf_gpu_default", &to);
  char *old = wf_text_take(&from), *new = wf_text_take(&to);
  for (int step = 0; status == WF_EXIT_CLEAN && step < 2; step++) {
    wf_args_add(&a, "%s", p->tools.objcopy);
    if (step == 0)
      wf_args_add(&a, "--redefine-sym=%s=%s", old ? old : "", new ? new : "");
    else
      wf_args_add(&a, "--keep-global-symbol=%s", new ? new : "");
    wf_args_add(&a, "%s/gpu.o", p->dir);
    status = run(p, &a, WF_EXIT_HARNESS, tell_all);
  }
  free(old);
  free(new);
  return status;
}

static int has_standard(const WfCheckPlan *p) {
  for (int i = 0; i < p->o->n_compile; i++)
    if (strncmp(p->o->compile[i], "-std=", 5) == 0)
      return 1;
  return 0;
}

static int build_gpu(const WfCheckPlan *p) {
  WfArgs a = {0};
  int status = write_gpu_source(p);
  if (status != WF_EXIT_CLEAN)
    return status;
  wf_args_add(&a, "%s", p->tools.nvcc);
  wf_args_add(&a, "-lineinfo");
  if (!has_standard(p))
    wf_args_add(&a, "-std=c++17");
  if (p->v.flavor == WF_FASTMATH)
    wf_args_add(&a, "-use_fast_math");
  add_folder_of(p->o->operands[0], &a);
  add_options(p, &a);
  wf_args_add(&a, "-c");
  wf_args_add(&a, "-o");
  wf_args_add(&a, "%s/gpu.nvcc.o", p->dir);
  wf_args_add(&a, "%s/gpu.cu", p->dir);
  status = run(p, &a, WF_EXIT_USAGE, tell_compiler);
  return status == WF_EXIT_CLEAN ? join_gpu(p) : status;
}

/* ---- tables, and an op of the user's ---- */

static int compile_c(const WfCheckPlan *p, const char *name, int failed) {
  WfArgs a = {0};
  wf_args_add_words(&a, p->tools.cc);
  wf_args_add_words(&a, p->tools.flags);
  wf_args_add_words(&a, "-std=gnu11 -O2 -g -ffp-contract=off -fno-pie");
  if (p->has_spec)
    add_folder_of(p->spec.c_file, &a);
  wf_args_add(&a, "-I");
  wf_args_add(&a, "%s", p->tools.sources);
  wf_args_add(&a, "-c");
  wf_args_add(&a, "-o");
  wf_args_add(&a, "%s/%s.o", p->dir, name);
  wf_args_add(&a, "%s/%s.c", p->dir, name);
  return run(p, &a, failed, tell_all);
}

static int build_tables(const WfCheckPlan *p) {
  char object[WF_CHECK_PATH + 16];
  WfText t = {0};
  snprintf(object, sizeof object, "%s/kernel.o", p->dir);
  int flags = wf_check_fast_calls(object);
  if (flags < 0) {
    wf_say("warpfuzz: %s: cannot be read", object);
    return WF_EXIT_HARNESS;
  }
  wf_check_tables(p, (uint32_t)flags, &t);
  int status = write_text(p, "tables.c", &t);
  return status == WF_EXIT_CLEAN ? compile_c(p, "tables", WF_EXIT_HARNESS) : status;
}

static int build_op(const WfCheckPlan *p) {
  WfText t = {0};
  char *reference = wf_text_read(p->spec.c_file);
  if (!reference) {
    wf_say("warpfuzz: %s: %s", p->spec.c_file, strerror(errno ? errno : ENOMEM));
    return WF_EXIT_USAGE;
  }
  wf_op_spec_source(&p->spec, reference, &t);
  free(reference);
  int status = write_text(p, "op.c", &t);
  return status == WF_EXIT_CLEAN ? compile_c(p, "op", WF_EXIT_USAGE) : status;
}

/* ---- the program ---- */

static void add_library(const WfCheckPlan *p, WfArgs *a, const char *name) { wf_args_add(a, "%s/%s", p->tools.root, name); }

static int link_program(const WfCheckPlan *p, const char *path) {
  WfArgs a = {0};
  int on_device = p->o->backend != WF_BACKEND_SIMT;
  wf_args_add_words(&a, p->tools.cc);
  wf_args_add_words(&a, p->tools.flags);
  wf_args_add(&a, "-o");
  wf_args_add(&a, "%s", path);
  wf_args_add(&a, "%s/tables.o", p->dir);
  wf_args_add(&a, "%s/kernel.o", p->dir);
  if (p->has_spec)
    wf_args_add(&a, "%s/op.o", p->dir);
  if (on_device)
    wf_args_add(&a, "%s/gpu.o", p->dir);
  add_library(p, &a, "libuserops.a");
  add_library(p, &a, "libwf.a");
  add_library(p, &a, "simt/libsimt.a");
  add_library(p, &a, on_device ? "gpu/device_cuda.o" : "gpu/libnodevice.a");
  if (on_device)
    wf_args_add_words(&a, p->tools.cuda_libs);
  wf_args_add_words(&a, p->tools.libs);
  return run(p, &a, WF_EXIT_USAGE, tell_linker);
}

int wf_check_build(WfCheckPlan *p, const char *path) {
  int status = p->has_spec ? build_op(p) : WF_EXIT_CLEAN;
  if (status == WF_EXIT_CLEAN)
    status = build_kernel(p);
  if (status == WF_EXIT_CLEAN && p->o->backend != WF_BACKEND_SIMT)
    status = build_gpu(p);
  if (status == WF_EXIT_CLEAN)
    status = build_tables(p);
  if (status == WF_EXIT_CLEAN)
    status = link_program(p, path);
  for (size_t i = 0; i < sizeof built / sizeof *built; i++) {
    char name[WF_CHECK_PATH + 16];
    snprintf(name, sizeof name, "%s/%s", p->dir, built[i]);
    unlink(name);
  }
  return status;
}
