/* significance.c - tails of the t, F and chi-square distributions, by the
 * regularized incomplete beta and gamma functions (NIST Handbook of
 * Mathematical Functions, 8.17.22 and 8.11.4, 8.9.2), as continued fractions
 * evaluated with Lentz's method. */
#include "significance.h"
#include <math.h>
#include "base/banned.h"

enum { TERMS = 500 };

static const double tiny = 1e-300, precise = 1e-14;

static double away_from_zero(double x)
{
    return fabs(x) < tiny ? tiny : x;
}

/* The continued fraction of the incomplete beta function. */
static double beta_fraction(double a, double b, double x)
{
    double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), h = d;
    for (int m = 1; m <= TERMS; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd =
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / away_from_zero(1 + even * d);
        c = away_from_zero(1 + even / c);
        h *= d * c;
        d = 1 / away_from_zero(1 + odd * d);
        c = away_from_zero(1 + odd / c);
        h *= d * c;
        if (fabs(d * c - 1) < precise)
            break;
    }
    return h;
}

static double incomplete_beta(double a, double b, double x)
{
    if (x <= 0 || x >= 1)
        return x <= 0 ? 0 : 1;
    double front =
        exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    return x < (a + 1) / (a + b + 2)
               ? front * beta_fraction(a, b, x) / a
               : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

static double gamma_series(double a, double x)
{
    double term = 1 / a, sum = term;
    for (int n = 1; n <= TERMS && fabs(term) > fabs(sum) * precise; n++) {
        term *= x / (a + n);
        sum += term;
    }
    return sum * exp(-x + a * log(x) - lgamma(a));
}

static double gamma_fraction(double a, double x)
{
    double b = x + 1 - a, c = 1 / tiny, d = 1 / away_from_zero(b), h = d;
    for (int n = 1; n <= TERMS; n++) {
        double term = -n * (n - a);
        b += 2;
        d = 1 / away_from_zero(term * d + b);
        c = away_from_zero(b + term / c);
        h *= d * c;
        if (fabs(d * c - 1) < precise)
            break;
    }
    return exp(-x + a * log(x) - lgamma(a)) * h;
}

static double within_bounds(double p)
{
    return p < 0 ? 0 : p > 1 ? 1 : p;
}

double significance_of_t(double t, double degrees)
{
    if (isnan(t) || !(degrees > 0))
        return NAN;
    if (isinf(t))
        return 0;
    return within_bounds(
        incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t)));
}

double significance_of_f(double f, double between, double within)
{
    if (isnan(f) || f < 0 || !(between > 0) || !(within > 0))
        return NAN;
    if (isinf(f))
        return 0;
    return within_bounds(incomplete_beta(within / 2, between / 2,
                                         within / (within + between * f)));
}

double significance_of_chi_square(double x, double degrees)
{
    if (isnan(x) || x < 0 || !(degrees > 0))
        return NAN;
    if (x == 0 || isinf(x))
        return x == 0 ? 1 : 0;
    double a = degrees / 2, half = x / 2;
    return within_bounds(half < a + 1 ? 1 - gamma_series(a, half)
                                      : gamma_fraction(a, half));
}

double significance_of_correlation(double r, double n)
{
    if (isnan(r) || !(n > 2))
        return NAN;
    if (fabs(r) >= 1)
        return 0;
    return significance_of_t(r * sqrt((n - 2) / (1 - r * r)), n - 2);
}
