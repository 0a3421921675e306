// The kernel of shuffle.published, where every thread has an element.
#include "shuffle.published.cu"
