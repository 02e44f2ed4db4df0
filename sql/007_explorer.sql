-- The explorer: tool calls that wait for a browser.
--
-- A row is there while its call waits. `answer` is set only when the browser's
-- answer reaches another process than the one that waits: sealed with the
-- server's key, and deleted when it is read. The table is unlogged, so nothing
-- of it is in the write-ahead log, and a crash empties it.

create unlogged table explorer_calls (
    id         uuid primary key,
    user_id    uuid not null,
    expires_at timestamptz not null,
    answer     bytea -- null: not answered yet
);
create index explorer_calls_expires on explorer_calls (expires_at);
