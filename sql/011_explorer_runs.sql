-- The explorer: a limit of steps for an exploration of a dataset.
--
-- The limit is the chat's, because any process may run its explorations. Null:
-- that of the agent.

alter table data_chats add column max_steps smallint
    check (max_steps between 1 and 15);

-- As the function without p_steps, which is 0 when there is no limit.
create function ask_thread(p_user uuid, p_thread text, p_dataset uuid,
                           p_agent text, p_all boolean, p_content text,
                           p_name text, p_sandbox boolean, p_steps integer,
                           out outcome text, out chat uuid, out answer uuid,
                           out detail text)
language plpgsql as $$
begin
    select t.outcome, t.chat, t.answer, t.detail
      into outcome, chat, answer, detail
      from ask_thread(p_user, p_thread, p_dataset, p_agent, p_all, p_content,
                      p_name, p_sandbox) t;
    if p_steps > 0 then
        update data_chats set max_steps = p_steps where id = chat;
    end if;
end $$;

-- Explorations in browsers that are under way, so that any process can cancel
-- and follow one. Nothing of their content.
create unlogged table explorer_runs (
    run_id     uuid primary key,
    user_id    uuid not null,
    chat_id    text not null, -- as the browser calls it
    expires_at timestamptz not null
);
create index explorer_runs_chat on explorer_runs (user_id, chat_id);

-- Parts of the stream of such a run, for a reader that reached another process
-- than the run's. Sealed with the server's key, and deleted when the reader has
-- them. Unlogged, as explorer_calls.
create unlogged table explorer_parts (
    run_id     uuid not null,
    number     integer not null, -- from 0
    frames     bytea not null,
    is_last    boolean not null,
    expires_at timestamptz not null,
    primary key (run_id, number)
);
