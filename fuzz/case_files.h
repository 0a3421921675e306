/* case_files.h - the case files that a path stands for, and their names. */
#ifndef WF_CASE_FILES_H
#define WF_CASE_FILES_H
#include "select.h"
#include "../simt/simt.h"

typedef struct WfCaseFiles {
  char **path; /* malloc'ed strings */
  size_t n, max;
} WfCaseFiles;

/* Appends `path` itself when it is no directory, else every *.case file below it, sorted by path (bytes); symbolic links
 * to directories are not followed. 0; -1 with a message: a directory that cannot be read, or no memory. */
int wf_case_files_add(WfCaseFiles *list, const char *path, char *err, size_t err_size);
void wf_case_files_free(WfCaseFiles *list);

/* Creates a directory and those above it. 0, or -1 with a message. */
int wf_dir_make(const char *path, char *err, size_t err_size);

/* "OP-VARIANT-CLASS-KEY.case": name of a finding's case file. */
enum { WF_FILE_NAME_MAX = 256 };
void wf_finding_file_name(const WfTarget *t, SimtClass cls, uint64_t key, char out[WF_FILE_NAME_MAX]);

#endif
