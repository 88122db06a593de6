// The limit that the evaluation by patterns is measured against: the same sums by hand in C.
//
// Gomoku 15x15, windows of five and six cells in all directions, with a weight for each content and
// player to move. From a board of some stones, a stone is placed on every free cell in turn, the
// position evaluated, and the stone removed. `bench/limit.py` compiles this file and asks on standard
// input for a number of rounds, each answered by a line of JSON, its time being the processor's for a
// position evaluated.

#define _DEFAULT_SOURCE // for the clock
#include "limit.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SIZE = 15, CELLS = SIZE * SIZE, WINDOWS = 1072, USES = 44, ENTRIES = 243 + 729 };

static int windows, uses[CELLS];
static int first[WINDOWS], entry[WINDOWS];
static int placed[CELLS][USES], power[CELLS][USES];
static int16_t weight[2][ENTRIES];
static int sums[2];
static int8_t owner[CELLS];

static void add_windows(int length, int base)
{
    static const int steps[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    for (int way = 0; way < 4; way++)
        for (int cell = 0; cell < CELLS; cell++) {
            int row = cell / SIZE, column = cell % SIZE, down = steps[way][0], right = steps[way][1];
            int last_row = row + (length - 1) * down, last_column = column + (length - 1) * right;
            if (last_row >= SIZE || last_column >= SIZE || last_column < 0)
                continue;
            first[windows] = entry[windows] = base;
            for (int place = 0, digit = 1; place < length; place++, digit *= 3) {
                int at = (row + place * down) * SIZE + column + place * right;
                placed[at][uses[at]] = windows;
                power[at][uses[at]++] = digit;
            }
            windows++;
        }
}

// Change a cell's digit by `change`: the entries of its windows, and the sums of both players.
static void change_cell(int cell, int change)
{
    int count = uses[cell], first_sum = 0, second_sum = 0;
    for (int use = 0; use < count; use++) {
        int window = placed[cell][use], old = entry[window], new = old + change * power[cell][use];
        entry[window] = new;
        first_sum += weight[0][new] - weight[0][old];
        second_sum += weight[1][new] - weight[1][old];
    }
    sums[0] += first_sum, sums[1] += second_sum;
}

static double evaluate(int mover) { return 1.0 / (1.0 + exp(-1e-4 * sums[mover])); }

static void answer(int rounds)
{
    double total = 0.0, began = thread_nanoseconds();
    int64_t count = 0;
    for (int round = 0; round < rounds; round++)
        for (int cell = 0; cell < CELLS; cell++) {
            if (owner[cell])
                continue;
            change_cell(cell, 1);
            total += evaluate(1);
            change_cell(cell, -1);
            count++;
        }
    double spent = thread_nanoseconds() - began;
    printf("{\"nanoseconds\": %.3f, \"total\": %.3f}\n", spent / (double)count, total);
}

int main(void)
{
    add_windows(5, 0), add_windows(6, 243);
    uint32_t random = 1;
    for (int player = 0; player < 2; player++)
        for (int at = 0; at < ENTRIES; at++)
            random = random * 1664525u + 1013904223u, weight[player][at] = (int16_t)(random >> 24);
    for (int stone = 0; stone < 16; stone++) {
        int cell = (5 + stone / 4) * SIZE + 5 + stone % 4;
        owner[cell] = (int8_t)(1 + stone % 2);
        change_cell(cell, owner[cell]);
    }
    int rounds;
    while (scanf("%d", &rounds) == 1 && rounds > 0) {
        answer(rounds);
        fflush(stdout);
    }
    return 0;
}
