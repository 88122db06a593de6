// The limit that the kernels of UCT are measured against: the same algorithm on Hex by hand in C.
//
// As `search/mcts/` runs it on one thread, without proofs and transpositions. `bench/limit.py`
// compiles this file for a size of board (-DSIZE=7) and asks on standard input for searches, each
// answered by a line of JSON, its time being the processor's for a simulation:
//
//   SIMULATIONS SEED CELL...    search the position after stones on these cells, no one having won

#define _DEFAULT_SOURCE // for the clock and madvise
#include "limit.h"
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

#ifndef SIZE
#define SIZE 7
#elif SIZE < 3 || SIZE > 11
#error "SIZE, the cells along a side of Hex, must be from 3 to 11"
#endif

#define CELLS (SIZE * SIZE)
#define EXPLORATION 1.4f
#define ROOM 50000 // blocks of children, of which a simulation takes at most one
#define WIDTH ((CELLS + 15) / 16 * 16) // room for a node's children: whole vectors of floats

// ---------------------------------------------------------------- random numbers and bits

// SplitMix64 (Steele, Lea and Flood, 2014).
static inline uint64_t next_random(uint64_t *rng)
{
    uint64_t z = *rng += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline int below(uint64_t *rng, int bound)
{
    return (int)(((next_random(rng) >> 32) * (uint64_t)bound) >> 32);
}

// Where the set bit with n set bits below it is.
static inline int nth_bit(uint64_t word, int n)
{
#ifdef __BMI2__
    return __builtin_ctzll(_pdep_u64((uint64_t)1 << n, word));
#else
    for (; n > 0; n--)
        word &= word - 1;
    return __builtin_ctzll(word);
#endif
}

// ---------------------------------------------------------------- Hex

#if SIZE <= 8
typedef uint64_t Board; // bit row * SIZE + column
static inline int count_bits(Board b) { return __builtin_popcountll(b); }
static inline Board random_board(uint64_t *rng) { return next_random(rng); }
static inline int nth_cell(Board b, int n) { return nth_bit(b, n); }
#else
typedef unsigned __int128 Board;
static inline int count_bits(Board b)
{
    return __builtin_popcountll((uint64_t)b) + __builtin_popcountll((uint64_t)(b >> 64));
}
static inline Board random_board(uint64_t *rng)
{
    uint64_t low = next_random(rng);
    return (Board)next_random(rng) << 64 | low;
}
static inline int nth_cell(Board b, int n)
{
    int low = __builtin_popcountll((uint64_t)b);
    return n < low ? nth_bit((uint64_t)b, n) : 64 + nth_bit((uint64_t)(b >> 64), n - low);
}
#endif

static const Board ONE = 1;
#define FULL ((((ONE << (CELLS - 1)) - 1) << 1) | 1)
#define FIRST_ROW ((ONE << SIZE) - 1)
#define LAST_ROW (FIRST_ROW << (CELLS - SIZE))
#define FIRST_COLUMN (FULL / FIRST_ROW) // a bit in each row
#define LAST_COLUMN (FIRST_COLUMN << (SIZE - 1))

typedef struct {
    Board free, mine; // free cells, and player 1's stones
    int mover;        // 0 or 1
} Position;

static inline void play(Position *p, int cell)
{
    p->free &= ~(ONE << cell);
    if (p->mover == 0)
        p->mine |= ONE << cell;
    p->mover ^= 1;
}

// Whether stones join one side to another: a flood from the first.
static inline bool joined(Board stones, Board from, Board to)
{
    Board reached = stones & from, before;
    do {
        before = reached;
        for (int step = 0; step < 2; step++) { // a look at the end costs more than a step
            Board right = reached | ((reached << 1) & ~FIRST_COLUMN); // a row up: above, its right
            Board left = reached | ((reached >> 1) & ~LAST_COLUMN);   // a row down: below, its left
            reached = (right | left | (right >> SIZE) | (left << SIZE)) & stones;
        }
        if (reached & to)
            return true;
    } while (reached != before);
    return false;
}

// Whether the player who moved last has won.
static bool is_over(const Position *p)
{
    if (p->mover == 1)
        return joined(p->mine, FIRST_ROW, LAST_ROW);
    return joined(FULL & ~p->free & ~p->mine, FIRST_COLUMN, LAST_COLUMN);
}

// The winner once the free cells are dealt in equal parts at random; any deal is as likely.
static inline int rollout(const Position *p, uint64_t *rng)
{
    Board pool = p->free, dealt = pool & random_board(rng), other = pool & random_board(rng);
    int cells = count_bits(pool), share = (cells + 1 - p->mover) / 2;
    int excess = count_bits(dealt) - share, other_excess = count_bits(other) - share;
    bool closer = abs(other_excess) < abs(excess); // which favours no cell
    dealt = closer ? other : dealt;
    excess = closer ? other_excess : excess;
    Board from = excess > 0 ? dealt : pool & ~dealt; // where cells are on the wrong side
    int left = excess > 0 ? share + excess : cells - share - excess;
    for (int wrong = abs(excess); wrong > 0; wrong--, left--) {
        Board cell = ONE << nth_cell(from, below(rng, left));
        from ^= cell;
        dealt ^= cell;
    }
    return joined(p->mine | dealt, FIRST_ROW, LAST_ROW) ? 0 : 1;
}

// ---------------------------------------------------------------- the tree

typedef struct {
    int32_t visits;
    int32_t wins;  // of the player who moved here
    int32_t first; // of the children, which are contiguous in the order of opening; 0: none yet
    uint8_t action;
    uint8_t size;   // children there can be
    uint8_t opened; // children there are
    bool over;
} Node;

// Children lie in blocks of WIDTH nodes; block 0 is the root's own, and node 0 the root.
static struct {
    _Alignas(1 << 21) Node nodes[ROOM * WIDTH];
    float mean[ROOM * WIDTH];   // all that selection reads of a child is this,
    float spread[ROOM * WIDTH]; // and 1 / sqrt(visits)
    Board unopened[ROOM];       // of a block, the actions of the children still to be opened
    float explore[ROOM];        // c sqrt(ln N) by N, the selections at a node
    int32_t used;
} tree;

static void expand(Node *here, const Position *p)
{
    here->size = (uint8_t)count_bits(p->free);
    here->first = tree.used;
    tree.unopened[here->first / WIDTH] = p->free;
    tree.used += WIDTH;
}

// Any child that was never visited.
static int32_t open_at_random(Node *here, uint64_t *rng)
{
    Board *unopened = &tree.unopened[here->first / WIDTH];
    int action = nth_cell(*unopened, below(rng, here->size - here->opened));
    int32_t child = here->first + here->opened++;
    *unopened &= ~(ONE << action);
    tree.nodes[child] = (Node){.action = (uint8_t)action};
    if (here->opened == here->size)
        for (int32_t rest = child + 1; rest < here->first + WIDTH; rest++)
            tree.mean[rest] = tree.spread[rest] = -1.0f; // never the best
    return child;
}

// The best child by UCB1: Q + c sqrt(ln N / n) (Kocsis and Szepesvari, 2006).
static int32_t best_by_uct(const Node *here, int selections)
{
    const float *mean = tree.mean + here->first, *spread = tree.spread + here->first;
    float explore = tree.explore[selections];
    int32_t keys[WIDTH], most = -1, best = WIDTH;
    for (int32_t i = 0; i < WIDTH; i++) { // a float's bits order like it where it is not negative
        float score = mean[i] + explore * spread[i];
        memcpy(&keys[i], &score, sizeof score);
        most = keys[i] > most ? keys[i] : most;
    }
    for (int32_t i = 0; i < WIDTH; i++) {
        int32_t index = keys[i] == most ? i : WIDTH;
        best = index < best ? index : best;
    }
    return here->first + best;
}

static void simulate(Position p, uint64_t *rng)
{
    int32_t path[CELLS + 1], node = 0;
    int depth = 0, winner = -1;
    while (true) {
        Node *here = &tree.nodes[node];
        path[depth] = node;
        here->visits++;
        if (!here->first && !here->over) {
            if (depth > 0 && here->visits == 1)
                break;
            here->over = is_over(&p); // until now a rollout knew it: it changes no winner
            if (!here->over)
                expand(here, &p);
        }
        if (here->over) {
            winner = 1 - p.mover;
            break;
        }
        if (here->opened < here->size)
            node = open_at_random(here, rng);
        else // of a node below the root, the first visit was no selection
            node = best_by_uct(here, here->visits - (depth > 0));
        play(&p, tree.nodes[node].action);
        depth++;
    }
    int last = 1 - p.mover; // who moved to the leaf
    if (winner < 0)
        winner = rollout(&p, rng);
    for (bool won = winner == last; depth >= 0; depth--, won = !won) {
        Node *here = &tree.nodes[path[depth]];
        float inverse = 1.0f / (float)here->visits;
        here->wins += won;
        tree.mean[path[depth]] = (float)here->wins * inverse;
        tree.spread[path[depth]] = sqrtf(inverse);
    }
}

// ---------------------------------------------------------------- questions and answers

static void answer(int simulations, uint64_t seed, char *cells)
{
    Position p = {.free = FULL};
    for (char *word = strtok(cells, " \n"); word; word = strtok(NULL, " \n"))
        play(&p, atoi(word));
    double began = thread_nanoseconds();
    tree.nodes[0] = (Node){0};
    tree.used = WIDTH;
    for (int i = 0; i < simulations; i++)
        simulate(p, &seed);
    double spent = thread_nanoseconds() - began;
    const Node *root = &tree.nodes[0], *child = &tree.nodes[root->first], *best = child;
    int visits[CELLS] = {0};
    for (int i = 0; i < root->opened; i++) {
        visits[child[i].action] = child[i].visits;
        best = child[i].visits > best->visits ? &child[i] : best;
    }
    int lost = root->wins; // by the player to move, as a node's wins are of who moved there
    printf("{\"nanoseconds\": %.2f, \"action\": %d, \"value\": %.6f, \"visits\": [",
           spent / simulations, best->action, 1.0 - (double)lost / root->visits);
    for (int cell = 0; cell < CELLS; cell++)
        printf(cell ? ", %d" : "%d", visits[cell]);
    printf("]}\n");
}

int main(void)
{
    char line[1024];
    int simulations, read;
    uint64_t seed;
#ifdef MADV_HUGEPAGE
    madvise(&tree, sizeof tree, MADV_HUGEPAGE); // as NumPy does for its large arrays
#endif
    for (int n = 1; n < ROOM; n++)
        tree.explore[n] = EXPLORATION * sqrtf(logf((float)n));
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "%d %" SCNu64 "%n", &simulations, &seed, &read) != 2 ||
            simulations < 1 || simulations > ROOM - 2)
            return 1;
        answer(simulations, seed, line + read);
        fflush(stdout);
    }
    return 0;
}
