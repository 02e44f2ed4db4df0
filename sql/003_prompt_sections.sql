-- What each section of a prompt took, and which were cut: an array of objects with
-- name, bytes, cut and perhaps shortened. NULL in rows that are older.
alter table llm_traces add column prompt_sections json;
