// The same, compiled with -ftz=true, as -use_fast_math has it.
#include "clean.cu"
