// The kernel of f24_finite_identity.published, where every element is finite.
#include "f24_finite_identity.published.cu"
