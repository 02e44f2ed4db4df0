-- The first page of a user's chats, as the store queries it (updatedAt, descending).
-- pgbench runs it to find out what PostgreSQL alone can do.
select c.id, c.name, c.ontology_id, c.owner_id, c.llm_provider, c.agent,
       epoch_ms(c.created_at), epoch_ms(c.updated_at),
       o.name, o.status, o.dataset_count, c.message_count,
       c.pinned_at is not null, c.archived_at is not null, h.id, h.text, t.total
  from (select (select coalesce((select chats from chat_counts
                                  where owner_id = :owner::uuid), 0)
               - (select count(*) from data_chats
                   where owner_id = :owner::uuid and deleted_at is null
                     and archived_at is not null)) as total) t
  left join (select * from data_chats c
              where owner_id = :owner::uuid and deleted_at is null
                and archived_at is null
              order by c.updated_at desc, c.id limit 20 offset 0) c on true
  left join ontologies o on o.id = c.ontology_id
  left join lateral (select null::uuid as id, null::text as text) h on true
 order by c.updated_at desc, c.id;
