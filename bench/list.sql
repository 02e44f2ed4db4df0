-- The first page of a user's chats, as the store queries it (updatedAt, descending).
-- pgbench runs it to find out what PostgreSQL alone can do.
select c.id, c.name, c.ontology_id, c.owner_id, c.llm_provider, c.agent,
       (date_part('epoch', c.created_at) * 1000)::bigint,
       (date_part('epoch', c.updated_at) * 1000)::bigint,
       o.name, o.status, o.dataset_count, c.message_count, t.total
  from (select (select coalesce((select chats from chat_counts
                                  where owner_id = :owner::uuid), 0)) as total) t
  left join (select * from data_chats c
              where owner_id = :owner::uuid and deleted_at is null
              order by c.updated_at desc, c.id limit 20 offset 0) c on true
  left join ontologies o on o.id = c.ontology_id
 order by c.updated_at desc, c.id;
