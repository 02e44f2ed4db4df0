-- Event frames, artifacts, prompts and answers are texts of some KB that are
-- written once and hardly read: lz4 costs a fifth of pglz's time on them, which
-- was a fifth of all that a run costs this database. A server built without lz4
-- goes on with pglz.
do $$
begin
    alter table run_events alter frames set compression lz4;
    alter table run_artifacts alter body set compression lz4;
    alter table llm_traces alter prompt_messages set compression lz4,
                           alter response_content set compression lz4,
                           alter tool_calls set compression lz4;
    alter table data_chat_messages alter content set compression lz4,
                                   alter metadata set compression lz4;
exception when feature_not_supported then
    raise notice 'no lz4 in this server';
end $$;
