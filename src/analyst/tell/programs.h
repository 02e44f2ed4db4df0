/* programs.h - the Python programs of python/, embedded at build time. Each expects
 * a line CONFIG = json.loads("...") before it. */
#pragma once

extern const char program_check[]; /* checks results */
extern const char program_chart[]; /* draws step 1 */
