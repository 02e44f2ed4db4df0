/* audit.c - the audit log, for admins. */
#include "store/audit.h"
#include "../request.h"
#include "store/accounts.h"
#include "base/banned.h"

enum { ACTION_MOST = 64 };

static struct next audit_events_found(struct flow *f);

/* "user.made", or the prefix "user.": letters, _ and dots. */
static bool is_audit_action(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!((s.ptr[i] >= 'a' && s.ptr[i] <= 'z') || s.ptr[i] == '_' ||
              s.ptr[i] == '.'))
            return false;
    return s.len > 0 && s.len <= ACTION_MOST;
}

static bool parse_digits(struct str s, size_t at, size_t len, int64_t least,
                         int64_t most, int64_t *out)
{
    struct str digits = str_cut(s, at, len);
    return digits.len == len && digits.ptr[0] >= '0' && digits.ptr[0] <= '9' &&
           str_to_int64(digits, out) && *out >= least && *out <= most;
}

static bool is_iso_date(struct str s)
{
    static const char days[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int64_t year, month, day;
    bool shaped = s.len == 10 && s.ptr[4] == '-' && s.ptr[7] == '-' &&
                  parse_digits(s, 0, 4, 1, 9999, &year) &&
                  parse_digits(s, 5, 2, 1, 12, &month) &&
                  parse_digits(s, 8, 2, 1, 31, &day) && day <= days[month - 1];
    bool leap = shaped && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return shaped && (month != 2 || day < 29 || leap);
}

/* A zone: "Z" or "+02:00". */
static bool is_iso_zone(struct str s)
{
    int64_t n;
    if (str_is(s, "Z"))
        return true;
    return s.len == 6 && (s.ptr[0] == '+' || s.ptr[0] == '-') &&
           s.ptr[3] == ':' && parse_digits(s, 1, 2, 0, 14, &n) &&
           parse_digits(s, 4, 2, 0, 59, &n);
}

/* RFC 3339, or a date in UTC. */
static bool is_iso_time(struct str s)
{
    int64_t n;
    if (!is_iso_date(str_cut(s, 0, 10)))
        return false;
    if (s.len == 10)
        return true;
    size_t end = 19;
    if (s.len < 20 || s.ptr[10] != 'T' || s.ptr[13] != ':' ||
        s.ptr[16] != ':' || !parse_digits(s, 11, 2, 0, 23, &n) ||
        !parse_digits(s, 14, 2, 0, 59, &n) ||
        !parse_digits(s, 17, 2, 0, 59, &n))
        return false;
    if (s.ptr[end] == '.')
        for (end++; end < s.len && s.ptr[end] >= '0' && s.ptr[end] <= '9';)
            end++;
    return end <= 29 && is_iso_zone(str_from(s, end));
}

static void read_time_query(struct request *q, const char *name,
                            struct str *out)
{
    if (!http_get_query(q->x, name, out))
        return;
    if (!is_iso_time(*out))
        request_invalid(q, name, "must be a time such as 2026-01-31T12:00:00Z");
    else if (out->len == 10)
        *out = arena_printf(&q->memory, "%.*sT00:00:00Z", STR_ARG(*out));
}

struct next audit_list(struct flow *f)
{
    struct request *q = REQUEST(f);
    struct audit_page *p = keep(f, struct audit_page);
    q->state = p;
    p->store = request_store(q);
    if (http_get_query(q->x, "action", &p->action) &&
        !is_audit_action(p->action))
        request_invalid(q, "action",
                        "must be an action (user.made) or a prefix (user.)");
    if (http_get_query(q->x, "actor", &p->actor) && !uuid_valid(p->actor) &&
        !email_valid(p->actor))
        request_invalid(q, "actor", "must be a user's id or address");
    read_time_query(q, "from", &p->from);
    read_time_query(q, "to", &p->to);
    if (!request_paging(q, &p->page, &p->page_size, 50))
        return back(f);
    return call(f, audit_page_begin, p, audit_events_found);
}

static struct next audit_events_found(struct flow *f)
{
    struct request *q = REQUEST(f);
    const struct audit_page *p = q->state;
    reply_page(q, p->query, audit_event_write, p->page, p->page_size, p->total);
    return back(f);
}
