/* significance.h - how likely chance alone makes a difference as large as the
 * one that was found. Pure; each takes a statistic and its degrees of freedom,
 * and answers a probability from 0 to 1, or NaN when they make no sense. */
#pragma once

/* Of a t at least as far from 0, to both sides. */
double significance_of_t(double t, double degrees);
/* Of an F at least as large. */
double significance_of_f(double f, double between, double within);
/* Of a chi-square at least as large. */
double significance_of_chi_square(double x, double degrees);
/* Of a correlation of n pairs at least as far from 0. */
double significance_of_correlation(double r, double n);
