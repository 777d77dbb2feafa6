/*
 * Copyright 2026 the Pitot developers
 * SPDX-License-Identifier: MIT
 */

/*
 * Time: from a counter's ticks to nanoseconds that never go back, and from
 * the GPU's clock to the CPU's.  The one place in Pitot that does arithmetic
 * on time.
 */

#ifndef PITOT_CLOCK_H
#define PITOT_CLOCK_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns ticks of a counter of frequency_hz (1 to 2^32 - 1) in nanoseconds,
 * rounded down: exact over the whole range, hence never less for more ticks.
 * UINT64_MAX where the nanoseconds do not fit (after 584 years).
 */
uint64_t
pitot_ticks_to_ns(uint64_t ticks, uint64_t frequency_hz);

/* Returns the ticks from begin to end of a counter of width_bits (1 to 64)
 * that wrapped at most once in between.
 */
static inline uint64_t
pitot_ticks_elapsed(uint64_t begin_ticks, uint64_t end_ticks,
                    unsigned width_bits)
{
   assert(width_bits >= 1 && width_bits <= 64);
   return (end_ticks - begin_ticks) & UINT64_MAX >> (64 - width_bits);
}

/* Returns the nanoseconds from begin to end; 0, and *disjoint_out set, if
 * they went back.
 */
uint64_t
pitot_ns_elapsed(uint64_t begin_ns, uint64_t end_ns, bool *disjoint_out);

/* Extends the ticks of a counter of width_bits to 64 bits.  Its owner starts
 * last_ticks with the first sample.
 */
struct pitot_tick_extender {
   unsigned width_bits;
   uint64_t last_ticks; /* the latest sample, extended */
};

/* Returns the 64-bit value of a sample.  Samples come in any order, but each
 * is less than half the counter's range from the latest one.
 */
uint64_t
pitot_ticks_extend(struct pitot_tick_extender *extender,
                   uint64_t sample_ticks);

/* Returns whether the system was suspended between two moments, from the
 * time for which it had been suspended at each of them.
 */
bool
pitot_is_suspension(uint64_t before_ns, uint64_t after_ns);

/* Returns the period of a clock of that many bits of nanoseconds: 0 for 64
 * bits, and for a clock that there is not, of 0.
 */
uint64_t
pitot_wrap_period_ns(unsigned width_bits);

/* A correlation: the GPU's clock was read between two readings of the CPU's.
 * Times are nanoseconds; the CPU's clock is CLOCK_MONOTONIC, or any other
 * that never goes back.  A kernel that correlates the clocks by itself has
 * the same three numbers (docs/timing.md).
 */
struct pitot_correlation {
   uint64_t before_ns; /* of the CPU */
   uint64_t gpu_ns;
   uint64_t after_ns; /* of the CPU */
};

/* Reads the two clocks. */
struct pitot_clock_source {
   uint64_t (*cpu_ns)(void *data);
   uint64_t (*gpu_ns)(void *data); /* 0: it cannot be read now */
   void *data;
};

/* Reads a correlation several times, and returns the best in *best_out: that
 * with the shortest time between the CPU's readings, or the first one that is
 * not longer than enough_ns.  Returns whether the GPU's clock could be read.
 */
bool
pitot_correlate(const struct pitot_clock_source *source, uint64_t enough_ns,
                struct pitot_correlation *best_out);

/*
 * A calibration converts times of the GPU to times of the CPU, and says how
 * far each of them may be from the truth.
 *
 * It is made of *readings*, which are correlations taken in.  Readings that
 * agree are one *fit*.  Assumptions about the clocks within a fit:
 *
 * - The rate of one, by the other, is within PITOT_MAX_DRIFT_PPB of 1 (the
 *   crystals, and an adjustment of the CPU's clock by the kernel).
 * - The rate varies by PITOT_MAX_WANDER_PPB at most, from its lowest to its
 *   highest.
 * - Of steps that no reading contradicts there is one at most, and it is not
 *   larger than PITOT_MAX_HIDDEN_STEP_NS.  Within that time of a step back,
 *   no time is recorded.
 *
 * Then the true time is never more than error_ns from the converted one.  A
 * reading that contradicts the fit (the clock stepped, wrapped or began anew)
 * begins a new fit; the caller begins one where it knows of a suspend of the
 * system, or a reset of the GPU.
 *
 * Threads: one at a time may change a calibration; all may convert, while
 * none does.
 */

#define PITOT_MAX_DRIFT_PPB  1000000 /* parts in 10^9 */
#define PITOT_MAX_WANDER_PPB 100000

#define PITOT_MAX_HIDDEN_STEP_NS 10000

/* The tick of a GPU's clock of which nothing is known: none is coarser. */
#define PITOT_UNKNOWN_TICK_NS 1000

#define PITOT_CALIBRATION_READINGS 128

/* A correlation that was taken in.  Its fields are Pitot's. */
struct pitot_calibration_reading {
   struct pitot_correlation clocks;
   uint64_t cpu_ns;   /* what clocks.gpu_ns is converted to */
   unsigned fit;      /* its number */
   int64_t drift_ppb; /* of the fit, as far as it was known then */
   uint64_t slack_ppb;
};

/* Owned by the caller; the fields before readings may be read. */
struct pitot_calibration {
   uint64_t tick_ns;   /* by which the GPU's clock goes on, rounded up */
   unsigned fit_count; /* how many fits have begun */

   /* The latest fit: by how much more time passes on the CPU's clock than on
    * the GPU's, with its error; PITOT_MAX_DRIFT_PPB before it is known.
    */
   int64_t drift_ppb;
   uint64_t drift_error_ppb;

   /* How long pitot_calibration_read() usually takes to read the GPU's clock:
    * from before_ns to after_ns.
    */
   uint64_t usual_ns;

   /* The latest readings, and fewer of the time before. */
   struct pitot_calibration_reading readings[PITOT_CALIBRATION_READINGS];
   unsigned reading_count;

   struct pitot_correlation drift_begin; /* from which it is measured */
   unsigned vain_count; /* of readings that did not tell it */
   uint64_t hidden_ns;  /* the largest step since then that may be hidden */
   bool is_restarting;
};

/* Starts without a reading.  tick_ns is the resolution of the GPU's clock: 1
 * if it counts nanoseconds, 10^9 / Hz rounded up if it counts slower ticks,
 * or PITOT_UNKNOWN_TICK_NS.
 */
void
pitot_calibration_init(struct pitot_calibration *calibration,
                       uint64_t tick_ns);

enum pitot_calibration_news {
   PITOT_CALIBRATION_UNREAD,   /* the clock cannot be read now */
   PITOT_CALIBRATION_LEFT_OUT, /* the reading tells less than is known */
   PITOT_CALIBRATION_TAKEN,
   PITOT_CALIBRATION_BEGUN,   /* a fit, as it had to: the first, a restart */
   PITOT_CALIBRATION_STEPPED, /* a fit: the reading contradicts the last */
};

/* Takes in a correlation.  They come in the order in which they were read. */
enum pitot_calibration_news
pitot_calibration_add(struct pitot_calibration *calibration,
                      const struct pitot_correlation *clocks);

/* Reads a correlation, as well as is needed, and takes it in. */
enum pitot_calibration_news
pitot_calibration_read(struct pitot_calibration *calibration,
                       const struct pitot_clock_source *source);

/* Says that a fit ends here, because the system was suspended or the GPU
 * reset: the next reading begins another one.
 */
void
pitot_calibration_restart(struct pitot_calibration *calibration);

/* A time of the GPU's by the clock of the CPU. */
struct pitot_cpu_time {
   uint64_t ns;
   uint64_t error_ns; /* the true time is not further away */
   unsigned fit;      /* the number of the fit, from 1 on */

   /* There is a later reading: the same time would be converted to the same
    * again, until half as many readings came as a calibration keeps.  Among
    * such times of a fit, more on the GPU's clock is never less on the CPU's.
    */
   bool is_final;
};

/* Converts a time that the GPU recorded between two times of the CPU's: it
 * was not told to before earliest_ns, and had done so at latest_ns (0 and
 * UINT64_MAX: unknown).  These decide what fit the time belongs to, if it may
 * be several.  Returns whether there is an answer.  There is none before the
 * first reading, between a restart and the next reading, and where the clock
 * stepped more than once between two readings.  The readings of long ago are
 * further apart, so that the errors of such times are larger.
 */
bool
pitot_calibration_to_cpu(const struct pitot_calibration *calibration,
                         uint64_t gpu_ns, uint64_t earliest_ns,
                         uint64_t latest_ns, struct pitot_cpu_time *time_out);

#ifdef __cplusplus
}
#endif

#endif /* PITOT_CLOCK_H */
