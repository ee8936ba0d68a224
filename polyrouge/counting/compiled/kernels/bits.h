/* What has no name in Python: unaligned loads, counts of bits, and classes of 64 bytes at once.
   Plain C for every compiler; SSE2, which is part of x86-64, and AVX2 where the build is for it. */
#ifndef POLYROUGE_BITS_H
#define POLYROUGE_BITS_H
#include <stdint.h>
#include <string.h>
#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#define PR_SSE2 1
#endif
#if defined(__AVX2__)
#include <immintrin.h>
#endif

/* Zero bits below the lowest set bit; 63 for 0. Bits up to the highest set one; 0 for 0. */
#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
static __forceinline int pr_ctz(uint64_t x) { unsigned long i; _BitScanForward64(&i, x | 1ULL << 63); return (int)i; }
static __forceinline int pr_width(uint64_t x) { unsigned long i; if (!x) return 0; _BitScanReverse64(&i, x); return (int)i + 1; }
#else
static inline int pr_ctz(uint64_t x) { return __builtin_ctzll(x | 1ULL << 63); }
static inline int pr_width(uint64_t x) { return x ? 64 - __builtin_clzll(x) : 0; }
#endif

/* Whether this processor runs what is compiled for x86-64-v3. */
static inline int pr_has_v3(void) {
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("fma") && __builtin_cpu_supports("popcnt");
#else
    return 0;
#endif
}

#define PR_SPREAD 0x9E3779B97F4A7C15ULL /* 2^64 divided by the golden ratio */
#define PR_SPREAD_HIGH 0xC2B2AE3D27D4EB4FULL
#define PR_ALL 0xFFFFFFFFFFFFFFFFULL
#define PR_HIGH_BITS 0x8080808080808080ULL
#define PR_LOW_BITS 0x7F7F7F7F7F7F7F7FULL
#define PR_CASE_BITS 0x2020202020202020ULL
#define PR_INEXACT (1ULL << 63)
#define PR_ONE_POINT (1ULL << 62)
#define PR_FEW_POINTS (1ULL << 63)
#define PR_NO_FRACTIONS 6755399441055744.0 /* 1.5 * 2^52: added and taken away, it leaves a whole number */
#define PR_MOST_LETTERS 0xFFFFFF00LL /* of a memory of stems */

/* Begin to load what will be read soon. */
#if defined(__GNUC__)
#define pr_prefetch(address) __builtin_prefetch(address)
#elif defined(PR_SSE2)
#define pr_prefetch(address) _mm_prefetch((const char *)(address), _MM_HINT_T0)
#else
#define pr_prefetch(address) ((void)0)
#endif

/* A flag that another thread may set: read anew each time. */
static inline int pr_is_set(const uint8_t *flag) { return *(const volatile uint8_t *)flag != 0; }

static inline int pr_popcount(uint64_t x) {
#if defined(__POPCNT__)
    return __builtin_popcountll(x);
#else
    x -= x >> 1 & 0x5555555555555555ULL;
    x = (x & 0x3333333333333333ULL) + (x >> 2 & 0x3333333333333333ULL);
    return (int)(((x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FULL) * 0x0101010101010101ULL >> 56);
#endif
}

static inline uint64_t pr_load_eight(const uint8_t *data, int64_t place) {
    uint64_t word;
    memcpy(&word, data + place, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* The bytes that a token of n bytes, at most 16, fills in each half of its key. */
static const uint64_t pr_low_masks[17] = {
    0, 0xFF, 0xFFFF, 0xFFFFFF, 0xFFFFFFFF, 0xFFFFFFFFFF, 0xFFFFFFFFFFFF, 0xFFFFFFFFFFFFFF, PR_ALL,
    PR_ALL, PR_ALL, PR_ALL, PR_ALL, PR_ALL, PR_ALL, PR_ALL, PR_ALL};
static const uint64_t pr_high_masks[17] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0,
    0xFF, 0xFFFF, 0xFFFFFF, 0xFFFFFFFF, 0xFFFFFFFFFF, 0xFFFFFFFFFFFF, 0xFFFFFFFFFFFFFF, PR_ALL};
static inline uint64_t pr_low_mask(int64_t n) { return pr_low_masks[n]; }
static inline uint64_t pr_high_mask(int64_t n) { return pr_high_masks[n]; }

/* The high bit of each byte that is an ASCII letter or digit. */
static inline uint64_t pr_word_bytes(uint64_t eight) {
    uint64_t low = eight & PR_LOW_BITS, letter = low | PR_CASE_BITS;
    uint64_t letters = (letter + 0x1F1F1F1F1F1F1F1FULL) & ~(letter + 0x0505050505050505ULL);
    uint64_t digits = (low + 0x5050505050505050ULL) & ~(low + 0x4646464646464646ULL);
    return (letters | digits) & ~eight & PR_HIGH_BITS;
}

typedef struct { uint64_t words, high, lines; } pr_byte_classes;

/* Bit i: data[place + i] is an ASCII letter or digit; is 128 or more; is a line break. */
static inline pr_byte_classes pr_classes_of(const uint8_t *data, int64_t place) {
    pr_byte_classes found = {0, 0, 0};
    int i;
#if defined(__AVX2__)
    for (i = 0; i < 2; i++) {
        __m256i v = _mm256_loadu_si256((const __m256i *)(data + place + 32 * i));
        __m256i folded = _mm256_or_si256(v, _mm256_set1_epi8(0x20));
        __m256i letter = _mm256_cmpgt_epi8(_mm256_set1_epi8(-102), _mm256_add_epi8(folded, _mm256_set1_epi8(0x80 - 'a')));
        __m256i digit = _mm256_cmpgt_epi8(_mm256_set1_epi8(-118), _mm256_add_epi8(v, _mm256_set1_epi8(0x80 - '0')));
        found.words |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_or_si256(letter, digit)) << 32 * i;
        found.high |= (uint64_t)(uint32_t)_mm256_movemask_epi8(v) << 32 * i;
        found.lines |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(v, _mm256_set1_epi8(10))) << 32 * i;
    }
#elif defined(PR_SSE2)
    for (i = 0; i < 4; i++) {
        __m128i v = _mm_loadu_si128((const __m128i *)(data + place + 16 * i));
        __m128i folded = _mm_or_si128(v, _mm_set1_epi8(0x20));
        __m128i letter = _mm_cmplt_epi8(_mm_add_epi8(folded, _mm_set1_epi8((char)(0x80 - 'a'))), _mm_set1_epi8(-102));
        __m128i digit = _mm_cmplt_epi8(_mm_add_epi8(v, _mm_set1_epi8((char)(0x80 - '0'))), _mm_set1_epi8(-118));
        found.words |= (uint64_t)_mm_movemask_epi8(_mm_or_si128(letter, digit)) << 16 * i;
        found.high |= (uint64_t)_mm_movemask_epi8(v) << 16 * i;
        found.lines |= (uint64_t)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(10))) << 16 * i;
    }
#else
    for (i = 0; i < 8; i++) {
        uint64_t eight = pr_load_eight(data, place + 8 * i), other = eight ^ 0x0A0A0A0A0A0A0A0AULL;
        uint64_t line = ~(((other & PR_LOW_BITS) + PR_LOW_BITS) | other) & PR_HIGH_BITS;
        found.words |= ((pr_word_bytes(eight) >> 7) * 0x0102040810204080ULL >> 56) << 8 * i;
        found.high |= (((eight & PR_HIGH_BITS) >> 7) * 0x0102040810204080ULL >> 56) << 8 * i;
        found.lines |= ((line >> 7) * 0x0102040810204080ULL >> 56) << 8 * i;
    }
#endif
    return found;
}
#endif
