/* instrument_meant.c - races that the source says are meant: a record in section simt_meant for each site on such a line. */
#define _POSIX_C_SOURCE 200809L
#include "instrument.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ins_meant_add(Ins *in, MeantLine m) {
  if (!m.file || !m.reason) abort();
  in->meant = ins_grow(in->meant, in->n_meant, sizeof *in->meant);
  in->meant[in->n_meant++] = m;
}

/* "NAME<tab>LINE<tab>REASON<newline>" */
static void take_line(Ins *in, char *text) {
  char *line = strchr(text, '\t'), *reason = line ? strchr(line + 1, '\t') : NULL;
  if (!reason) return;
  *line = *reason = '\0';
  reason[1 + strcspn(reason + 1, "\n")] = '\0';
  MeantLine m = {strdup(text), strdup(reason + 1), (unsigned)strtoul(line + 1, NULL, 10)};
  ins_meant_add(in, m);
}

int ins_meant_read(Ins *in, const char *path) {
  FILE *f = fopen(path, "r");
  char *line = NULL;
  size_t size = 0;
  if (!f) {
    perror(path);
    return -1;
  }
  while (getline(&line, &size, f) > 0) take_line(in, line);
  free(line);
  fclose(f);
  return 0;
}

static void emit_record(Ins *in, LLVMValueRef site, const char *reason) {
  LLVMValueRef field[2] = {site, ins_string(in, reason, strlen(reason))};
  LLVMValueRef init = LLVMConstStructInContext(in->ctx, field, 2, 0);
  LLVMValueRef g = LLVMAddGlobal(in->mod, LLVMTypeOf(init), "simt.meant");
  LLVMSetInitializer(g, init);
  LLVMSetGlobalConstant(g, 1);
  LLVMSetLinkage(g, LLVMInternalLinkage);
  LLVMSetSection(g, "simt_meant");
  LLVMSetAlignment(g, 8);
  ins_keep(in, g);
}

void ins_meant_site(Ins *in, const char *file, size_t len, unsigned line, LLVMValueRef site) {
  for (size_t i = 0; i < in->n_meant; i++) {
    const MeantLine *m = &in->meant[i];
    if (m->line != line || strlen(m->file) != len || memcmp(m->file, file, len) != 0) continue;
    emit_record(in, site, m->reason);
    return;
  }
}
