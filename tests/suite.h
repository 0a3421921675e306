/* suite.h - the end of a test program's main(). */
#ifndef WF_TESTS_SUITE_H
#define WF_TESTS_SUITE_H
#include <check.h>

/* Runs the suite, frees it, and prints TAP. The status of the program. */
static inline int suite_run(Suite *s) {
  SRunner *sr = srunner_create(s);
  srunner_set_tap(sr, "-");
  srunner_run_all(sr, CK_SILENT);
  int failed = srunner_ntests_failed(sr);
  srunner_free(sr);
  return failed > 0;
}

#endif
