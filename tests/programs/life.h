// life.h - Conway's game of life on a torus.
#pragma once

constexpr int kWidth = 96, kHeight = 64;

__global__ void lifeStep(const unsigned char *now, unsigned char *next); // life_step.cu; one thread a cell, blocks of two dimensions
