/* target_report.c - what a fuzz target does with findings: the case on the disk, then findings.jsonl, then the text. */
#include "target_impl.h"
#include "case_files.h"
#include <stdlib.h>
#include <string.h>

/* Was the finding told already? If not, it counts as told from now on; without memory it is told once more. */
static int was_told(WfFuzzTarget *t, uint64_t id) {
  for (size_t i = 0; i < t->n_told; i++)
    if (t->told[i] == id) return 1;
  uint64_t *grown = realloc(t->told, (t->n_told + 1) * sizeof *grown);
  if (!grown) return 0;
  t->told = grown;
  t->told[t->n_told++] = id;
  return 0;
}

/* Drops those findings from the verdict that were told already. */
static void keep_untold(WfFuzzTarget *t, WfVerdict *v) {
  size_t n = 0;
  for (size_t i = 0; i < v->n; i++)
    if (!was_told(t, wf_finding_id(&v->finding[i]))) v->finding[n++] = v->finding[i];
  v->n = n;
}

static void append_line(const WfFuzzTarget *t, const WfFinding *f, const char *case_path, FILE *log) {
  char path[4096], err[WF_CASE_ERROR_MAX] = "out of memory", *line = wf_finding_json(f, case_path);
  snprintf(path, sizeof path, "%s/findings.jsonl", t->out);
  if (!line || wf_file_append(path, line, err, sizeof err) != 0) fprintf(log, "%s\n", err);
  free(line);
}

static void tell(const WfFuzzTarget *t, WfVerdict *v, uint64_t key, const char *case_path, FILE *log) {
  for (size_t i = 0; i < v->n; i++) {
    WfFinding *f = &v->finding[i];
    f->key = key;
    if (t->keeps_log) append_line(t, f, case_path, log);
    char *text = wf_finding_text(f, case_path);
    fprintf(log, "%s\n", text ? text : "out of memory");
    free(text);
  }
}

SimtClass wf_target_report(WfFuzzTarget *t, const WfTarget *on, const WfCase *c, WfVerdict *v, FILE *log) {
  char name[WF_FILE_NAME_MAX], path[4096], err[WF_CASE_ERROR_MAX] = "out of memory";
  WfCase saved = *c;
  SimtClass first = 0;
  while (!(v->errors >> first & 1)) first++;
  if (t->goes_on) keep_untold(t, v);
  if (v->n == 0) return first;
  saved.variant = on->variant;
  saved.expect = v->errors;
  uint64_t key = wf_case_key(&saved);
  wf_finding_file_name(on, first, key, name);
  snprintf(path, sizeof path, "%s/%s", t->out, name);
  char *text = wf_case_print(&saved);
  int rc = text ? wf_file_write(t->out, name, text, strlen(text), err, sizeof err) : -1;
  if (rc != 0) fprintf(log, "%s\nnot saved; its case is:\n%s\n", err, text ? text : "(out of memory)");
  free(text);
  tell(t, v, key, rc == 0 ? path : NULL, log);
  return first;
}
