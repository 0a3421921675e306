/* check_tables.c - the tables of a program for one kernel of a user's, as C source; and which intrinsics an object calls. */
#define _DEFAULT_SOURCE
#include "check_plan.h"
#include <ctype.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_field(WfText *t, const char *name, const char *value) {
  if (!value)
    return;
  wf_text_add(t, "  .%s = ", name);
  wf_text_add_c(t, value);
  wf_text_add(t, ",\n");
}

/* "wf_entry_softmax_my_kernel", as fuzz/entry.c writes it. */
static void add_entry(WfText *t, const char *prefix, const WfCheckPlan *p) {
  wf_text_add(t, "%s_", prefix);
  for (const char *s = p->op->name; *s; s++)
    wf_text_add(t, "%c", isalnum((unsigned char)*s) ? *s : '_');
  wf_text_add(t, "_%s", p->name);
}

static void add_variant(const WfCheckPlan *p, uint32_t flags, WfText *t) {
  const WfVariant *v = &p->v;
  wf_text_add(t, "void ");
  add_entry(t, "wf_entry", p);
  wf_text_add(t, "(const WfLaunchArgs *);\nextern const WfVariant wf_user_variant[1];\nconst WfVariant wf_user_variant[1] = {{\n");
  wf_text_add(t, "  .entry = ");
  add_entry(t, "wf_entry", p);
  wf_text_add(t, ",\n");
  const char *const fields[][2] = {{"name", v->name},       {"launch", v->launch}, {"block", v->block},     {"block_y", v->block_y},
                                   {"block_z", v->block_z}, {"grid", v->grid},     {"grid_y", v->grid_y},   {"grid_z", v->grid_z},
                                   {"shared", v->shared},   {"requires", v->requires}, {"owns", v->owns}};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    add_field(t, fields[i][0], fields[i][1]);
  wf_text_add(t, "  .dtype = {%d, %d, %d, %d}, .arith = %d,\n", (int)v->dtype[0], (int)v->dtype[1], (int)v->dtype[2], (int)v->dtype[3],
              (int)v->arith);
  wf_text_add(t, "  .values = %.17g, .masked = %d, .flags = %u, .flavor = %d,\n}};\n", v->values, (int)v->masked, v->flags | flags,
              (int)v->flavor);
}

static void add_op(const WfCheckPlan *p, WfText *t) {
  WfText name = {0};
  if (p->has_spec) {
    wf_text_add(&name, "user");
  } else {
    for (const char *s = p->op->name; *s; s++)
      wf_text_add(&name, "%c", isalnum((unsigned char)*s) ? *s : '_');
  }
  char *text = wf_text_take(&name);
  wf_text_add(t, "extern const WfOp wf_op_%s;\nconst WfOp *const wf_ops[] = {&wf_op_%s, NULL};\n", text ? text : "", text ? text : "");
  t->failed |= !text;
  free(text);
}

static void add_info(const WfCheckPlan *p, WfText *t) {
  WfText contract = {0}, options = {0};
  wf_check_contract_text(p, &contract);
  wf_text_put(&options, "", 0);
  for (int i = 0; i < p->o->n_compile; i++) {
    wf_text_put(&options, " ", 1);
    wf_text_add_quoted(&options, p->o->compile[i]);
  }
  char *compile = wf_text_take(&options);
  char *lines = wf_text_take(&contract), *source = realpath(p->o->operands[0], NULL);
  wf_text_add(t, "static const WfSuppression suppressions[] = {\n");
  for (size_t i = 0; i < p->known.n; i++) {
    wf_text_add(t, "  {%d, ", (int)p->known.line[i].cls);
    wf_text_add_c(t, p->known.line[i].where);
    wf_text_add(t, ", ");
    wf_text_add_c(t, p->known.line[i].reason);
    wf_text_add(t, "},\n");
  }
  wf_text_add(t, "  {SIMT_CLASS_COUNT, \"\", \"\"}\n};\nstatic const WfCheckInfo info = {\n");
  add_field(t, "command", p->command);
  add_field(t, "source", source ? source : p->o->operands[0]);
  add_field(t, "compile", compile);
  add_field(t, "contract", lines);
  wf_text_add(t, "  .own_geometry = %d,\n", p->own_geometry);
  wf_text_add(t, "  .suppressions = suppressions, .n_suppressions = %zu,\n};\nconst WfCheckInfo *const wf_check_info = &info;\n", p->known.n);
  t->failed |= !lines || !compile;
  free(compile);
  free(lines);
  free(source);
}

static void add_device_table(const WfCheckPlan *p, WfText *t) {
  wf_text_add(t, "#include \"gpu/table.h\"\nWfEntry ");
  add_entry(t, "wf_gpu_default", p);
  wf_text_add(t, ";\nconst WfGpuTableRow wf_gpu_table[] = {{\"%s\", \"%s\", {[%d] = ", p->op->name, p->name, (int)WF_GPU_DEFAULT);
  add_entry(t, "wf_gpu_default", p);
  wf_text_add(t, "}}};\nconst size_t wf_gpu_table_rows = 1;\n");
}

void wf_check_tables(const WfCheckPlan *p, uint32_t flags, WfText *t) {
  wf_text_add(t, "/* Written by warpfuzz check. */\n#include \"fuzz/check_info.h\"\n#include \"fuzz/op.h\"\n");
  add_op(p, t);
  add_variant(p, flags, t);
  add_info(p, t);
  if (p->o->backend != WF_BACKEND_SIMT)
    add_device_table(p, t);
}

/* ---- calls of fast intrinsics ---- */

/* An exponential's error is one that references know apart; of others they know that there are some. */
static int flag_of(const char *symbol) {
  static const char prefix[] = "simt_fast_";
  if (strncmp(symbol, prefix, sizeof prefix - 1) != 0)
    return 0;
  return strncmp(symbol + sizeof prefix - 1, "exp", 3) == 0 ? WF_FAST_EXP : WF_FAST_MATH;
}

/* Undefined symbols of the file's bytes; -1: it is no such file. */
static int flags_of(const unsigned char *file, size_t n) {
  Elf64_Ehdr head;
  Elf64_Shdr section, names;
  int flags = 0;
  if (n < sizeof head || memcmp(file, ELFMAG, SELFMAG) != 0)
    return -1;
  memcpy(&head, file, sizeof head);
  if (head.e_shoff > n || head.e_shnum * sizeof section > n - head.e_shoff)
    return -1;
  for (unsigned i = 0; i < head.e_shnum; i++) {
    memcpy(&section, file + head.e_shoff + i * sizeof section, sizeof section);
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= head.e_shnum)
      continue;
    memcpy(&names, file + head.e_shoff + section.sh_link * sizeof names, sizeof names);
    if (section.sh_offset > n || section.sh_size > n - section.sh_offset || names.sh_offset > n || names.sh_size > n - names.sh_offset)
      return -1;
    for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= section.sh_size; at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      memcpy(&symbol, file + section.sh_offset + at, sizeof symbol);
      if (symbol.st_shndx == SHN_UNDEF && symbol.st_name < names.sh_size)
        flags |= flag_of((const char *)file + names.sh_offset + symbol.st_name);
    }
  }
  return flags;
}

int wf_check_fast_calls(const char *object) {
  FILE *f = fopen(object, "rb");
  unsigned char *bytes = NULL;
  long n = -1;
  int flags = -1;
  if (f && fseek(f, 0, SEEK_END) == 0 && (n = ftell(f)) >= 0 && fseek(f, 0, SEEK_SET) == 0 && (bytes = malloc((size_t)n + 1)) != NULL &&
      fread(bytes, 1, (size_t)n, f) == (size_t)n) {
    bytes[n] = 0; /* ends the last name */
    flags = flags_of(bytes, (size_t)n);
  }
  free(bytes);
  if (f)
    fclose(f);
  return flags;
}
