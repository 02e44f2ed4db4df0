-- Chats that their owner keeps at the top of the list, or has put away.
--
-- The list of all chats leaves archived ones out; its total comes from
-- chat_counts, less those of the index data_chats_archived. A message that is
-- added to an archived chat brings it back.

alter table data_chats add column pinned_at timestamptz,
    add column archived_at timestamptz;
create index data_chats_pinned on data_chats (owner_id, pinned_at)
    where pinned_at is not null;
create index data_chats_archived on data_chats (owner_id, updated_at desc, id)
    include (deleted_at) where archived_at is not null;

create function bring_chat_back() returns trigger language plpgsql as $$
begin
    new.archived_at := null;
    return new;
end $$;
create trigger chats_back before update of message_count on data_chats
    for each row when (old.archived_at is not null
                       and new.message_count > old.message_count)
    execute function bring_chat_back();
