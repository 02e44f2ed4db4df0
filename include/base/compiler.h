/* compiler.h - the compiler extensions that the tree uses, by name. */
#pragma once
#include <stddef.h>

/* The caller must look at what the function returns. */
#define MUST_CHECK __attribute__((warn_unused_result))

/* The struct of type T that holds `pointer` as its member `member`. Compiles
 * only if `pointer` has the type of that member. */
#define container_of(pointer, T, member) \
    ({ \
        _Static_assert( \
            __builtin_types_compatible_p(__typeof__(*(pointer)), \
                                         __typeof__(((T *)NULL)->member)), \
            "not a pointer to that member"); \
        (T *)(void *)((char *)(pointer) - offsetof(T, member)); \
    })

/* True in builds with AddressSanitizer: checks that would cost a release build
 * memory or time are compiled in. */
#if defined(__SANITIZE_ADDRESS__)
#define CHECKED_BUILD 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CHECKED_BUILD 1
#endif
#endif
#ifndef CHECKED_BUILD
#define CHECKED_BUILD 0
#endif
