// The limit that the evaluation by patterns is measured against: the same algorithm by hand in C.
//
// The argument is a file that `bench/limit.py` writes: the layout and packed weights of the patterns
// of Reversi 8x8, and positions in the order in which a search evaluates them. Each number on
// standard input is a number of rounds over all positions, answered by a line of JSON, its time
// being the processor's for an evaluation.

#define _DEFAULT_SOURCE // for the clock
#include "limit.h"
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 64, WORDS = 8 };

static struct {
    int32_t placements, uses, entries, stages, positions;
} sizes;
static uint32_t *placed, *power; // [CELLS][uses] placements of a cell, and its powers of 3
static uint32_t *entries;        // [placements + 1], the last is spare
static int32_t stage_of[CELLS + 1];
static int16_t *packed; // [stages][2][entries]
static float *bias, unit;
static uint64_t *discs; // [positions][2]
static int32_t *movers;

static uint64_t bytes_of[256];    // a row's bits, each in a byte
static uint64_t before[WORDS];    // owners of the position that `entries` belong to
static int occupied;

static void *read_array(FILE *file, size_t count, size_t size)
{
    void *array = malloc(count * size);
    if (!array || fread(array, size, count, file) != count)
        exit(1);
    return array;
}

static void read_all(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || fread(&sizes, sizeof sizes, 1, file) != 1)
        exit(1);
    size_t uses = (size_t)CELLS * (size_t)sizes.uses;
    placed = read_array(file, uses, 4);
    power = read_array(file, uses, 4);
    entries = read_array(file, (size_t)sizes.placements + 1, 4);
    memcpy(stage_of, read_array(file, CELLS + 1, 4), sizeof stage_of);
    packed = read_array(file, 2 * (size_t)sizes.stages * (size_t)sizes.entries, 2);
    bias = read_array(file, (size_t)sizes.stages, 4);
    unit = *(float *)read_array(file, 1, 4);
    discs = read_array(file, 2 * (size_t)sizes.positions, 8);
    movers = read_array(file, (size_t)sizes.positions, 4);
    fclose(file);
}

static void change_cell(int cell, int8_t was, int8_t now)
{
    occupied += (was < 0) - (now < 0);
    uint32_t change = (uint32_t)(now - was);
    const uint32_t *places = placed + cell * sizes.uses, *powers = power + cell * sizes.uses;
    for (int use = 0; use < sizes.uses; use++)
        entries[places[use]] += change * powers[use];
}

static double evaluate(uint64_t first, uint64_t second, int mover)
{
    for (int row = 0; row < WORDS; row++) {
        uint64_t theirs = bytes_of[second >> 8 * row & 255];
        uint64_t owners = theirs | bytes_of[~(first | second) >> 8 * row & 255] * 255;
        uint64_t was = before[row], changed = owners ^ was;
        before[row] = owners;
        while (changed) {
            int byte = __builtin_ctzll(changed) / 8;
            changed &= ~(255ull << 8 * byte);
            change_cell(8 * row + byte, (int8_t)(was >> 8 * byte), (int8_t)(owners >> 8 * byte));
        }
    }
    int stage = stage_of[occupied];
    const int16_t *weights = packed + (2 * stage + mover) * (int64_t)sizes.entries;
    int32_t total = 0;
    for (int placement = 0; placement < sizes.placements; placement++)
        total += weights[entries[placement]];
    return 1 / (1 + exp(-(total * (double)unit + bias[stage])));
}

int main(int count, char **arguments)
{
    if (count != 2)
        return 1;
    read_all(arguments[1]);
    for (int bits = 0; bits < 256; bits++)
        for (int bit = 0; bit < 8; bit++)
            bytes_of[bits] |= (uint64_t)(bits >> bit & 1) << 8 * bit;
    memset(before, 255, sizeof before);
    int rounds;
    while (scanf("%d", &rounds) == 1 && rounds > 0) {
        double sum = 0, began = thread_nanoseconds();
        for (int round = 0; round < rounds; round++)
            for (int n = 0; n < sizes.positions; n++)
                sum += evaluate(discs[2 * n], discs[2 * n + 1], movers[n]);
        double spent = thread_nanoseconds() - began;
        int64_t evaluated = (int64_t)rounds * sizes.positions;
        double mean = sum / (double)evaluated, each = spent / (double)evaluated;
        printf("{\"nanoseconds\": %.3f, \"mean\": %.9f}\n", each, mean);
        fflush(stdout);
    }
    return 0;
}
