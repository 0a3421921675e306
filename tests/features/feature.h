/* feature.h - the frame of the files beside it. NAME is that of the file.
 *
 *   RIGHT(NAME)     a launcher: fills the doubles of `out`, as many as features.def says; nothing may be found
 *   EXPECTED(NAME)  what out[i] is in the end
 *   WRONG(NAME)     a launcher of a twin with a fault, of the class that features.def says
 *
 * Their device code is as real files have it; nvcc compiles it, too. */
#ifndef TESTS_FEATURE_H
#define TESTS_FEATURE_H

#define RIGHT(name) extern "C" void name##_right([[maybe_unused]] double *out)
#define WRONG(name) extern "C" void name##_wrong([[maybe_unused]] double *out)
#define EXPECTED(name) extern "C" double name##_expected([[maybe_unused]] int i)

#endif
