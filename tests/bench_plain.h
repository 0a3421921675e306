#ifndef BENCH_PLAIN_H
#define BENCH_PLAIN_H
void bench_plain_softmax(const float *x, float *y, int rows, int cols);
#endif
