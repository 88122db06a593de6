// The limit that the kernel of perft is measured against: the same algorithm on Reversi by hand in C.
//
// Positions of Reversi 8x8 from its start, the moves of the last ply counted. `bench/limit.py`
// compiles this file and asks on standard input for numbers of plies, each answered by a line of
// JSON, its time being the processor's for a position counted.
//
// A move follows eight directions: one after the other, as the kernels do, or with -DVECTORS all
// at once in vectors, an extension of C that GCC and Clang have.

#define _DEFAULT_SOURCE // for the clock
#include "limit.h"
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

// Discs on a line along a row or a diagonal can only be followed off the first and last column.
#define INNER 0x7E7E7E7E7E7E7E7Eu

#ifdef VECTORS
typedef uint64_t Lines __attribute__((vector_size(32))); // a board for each direction
static inline Lines where(Lines line, Lines end) { return line & (Lines)(end != 0); }
#else
typedef uint64_t Lines;
static inline Lines where(Lines line, Lines end) { return end ? line : 0; }
#endif

// The cells next after a line of others' discs that begins next to an own one, both ways.
static inline Lines beyond(Lines own, Lines other, Lines step)
{
    Lines up = other & (own << step), down = other & (own >> step), two = step + step;
    Lines ups = other & (other << step), downs = other & (other >> step);
    up |= other & (up << step), down |= other & (down >> step);
    up |= ups & (up << two), down |= downs & (down >> two);
    up |= ups & (up << two), down |= downs & (down >> two);
    return up << step | down >> step;
}

// The others' discs from a cell to an own disc, both ways; none where the line has no end.
static inline Lines between(Lines bit, Lines own, Lines other, Lines step)
{
    Lines up = other & (bit << step), down = other & (bit >> step), two = step + step;
    Lines ups = other & (other << step), downs = other & (other >> step);
    up |= other & (up << step), down |= other & (down >> step);
    up |= ups & (up << two), down |= downs & (down >> two);
    up |= ups & (up << two), down |= downs & (down >> two);
    return where(up, (up << step) & own) | where(down, (down >> step) & own);
}

#ifdef VECTORS
static const Lines STEPS = {1, 7, 8, 9}, MASKS = {INNER, INNER, UINT64_MAX, INNER};
static inline Lines four(uint64_t board) { return (Lines){board, board, board, board}; }
static inline uint64_t any(Lines l) { return (l[0] | l[1]) | (l[2] | l[3]); }
static inline uint64_t movable(uint64_t own, uint64_t other)
{
    return any(beyond(four(own), four(other) & MASKS, STEPS)) & ~(own | other);
}

static inline uint64_t flips(uint64_t bit, uint64_t own, uint64_t other)
{
    return any(between(four(bit), four(own), four(other) & MASKS, STEPS));
}
#else
static inline uint64_t movable(uint64_t own, uint64_t other)
{
    uint64_t inner = other & INNER, ends = beyond(own, inner, 1) | beyond(own, inner, 7);
    return (ends | beyond(own, other, 8) | beyond(own, inner, 9)) & ~(own | other);
}

static inline uint64_t flips(uint64_t bit, uint64_t own, uint64_t other)
{
    uint64_t inner = other & INNER;
    return between(bit, own, inner, 1) | between(bit, own, inner, 7) |
           between(bit, own, other, 8) | between(bit, own, inner, 9);
}
#endif

// Positions so many plies on; a pass is a ply, and a game that ended earlier counts 1.
static int64_t perft(uint64_t own, uint64_t other, int plies)
{
    uint64_t moves = movable(own, other);
    if (plies == 1)
        return moves ? __builtin_popcountll(moves) : 1;
    if (!moves)
        return movable(other, own) ? perft(other, own, plies - 1) : 1;
    int64_t count = 0;
    for (; moves; moves &= moves - 1) {
        uint64_t bit = moves & -moves, turned = flips(bit, own, other);
        count += perft(other ^ turned, own | turned | bit, plies - 1);
    }
    return count;
}

static void answer(int plies)
{
    double began = thread_nanoseconds();
    int64_t count = perft(0x0000000810000000u, 0x0000001008000000u, plies);
    double spent = thread_nanoseconds() - began;
    printf("{\"nanoseconds\": %.3f, \"count\": %" PRId64 "}\n", spent / (double)count, count);
}

int main(void)
{
    int plies;
    while (scanf("%d", &plies) == 1 && plies > 0) {
        answer(plies);
        fflush(stdout);
    }
    return 0;
}
