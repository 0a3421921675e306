// The kernel of f14_tail.published-2, for lengths that are a multiple of 4.
#include "f14_tail.published-2.cu"
