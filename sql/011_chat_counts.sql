-- How many chats a user has that are not removed: each page of the list tells it,
-- and counting them was half of what the list cost. Chats are listed far more
-- often than they are made or removed.
create table chat_counts (
    owner_id uuid primary key references users on delete cascade,
    chats    integer not null
);
insert into chat_counts (owner_id, chats)
select owner_id, count(*) from data_chats
 where deleted_at is null group by owner_id;

-- With the owner goes the count, and then there is nothing to take away from.
create function count_chat() returns trigger language plpgsql as $$
begin
    if tg_op <> 'INSERT' and old.deleted_at is null then
        update chat_counts set chats = chats - 1
         where owner_id = old.owner_id;
    end if;
    if tg_op <> 'DELETE' and new.deleted_at is null then
        insert into chat_counts as c (owner_id, chats) values (new.owner_id, 1)
            on conflict (owner_id) do update set chats = c.chats + 1;
    end if;
    return null;
end $$;

create trigger chats_made after insert on data_chats
    for each row execute function count_chat();
create trigger chats_gone after delete on data_chats
    for each row execute function count_chat();
create trigger chats_hidden after update of owner_id, deleted_at on data_chats
    for each row when (old.owner_id <> new.owner_id
                       or old.deleted_at is distinct from new.deleted_at)
    execute function count_chat();
