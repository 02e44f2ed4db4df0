-- One column refers to rows of several tables; another column says of which.
--! key members (id)
--! key shops (id)
--! key posts (id)
--! key photos (id)
--! many payments (sender_id)
--! many payments (recipient_id)
--! many remarks (remarkable_id)
--! many attachments (owner_id)
--! many notices (target_id)
--! link posts (member_id) -> members (id)
--! link photos (member_id) -> members (id)
--! link remarks (member_id) -> members (id)
--! sum payments (amount)
create table members (id int, name text, joined date);
create table shops (id int, name text, category text);
create table posts (id int, member_id int, title text);
create table photos (id int, member_id int, caption text);
create table payments (id int, sender_id int, sender_type int, recipient_id int, recipient_type int, amount numeric(10,2));
create table remarks (id int, remarkable_id int, remarkable_type text, member_id int, body text);
create table attachments (id int, owner_kind text, owner_id int, file_name text);
create table notices (id int, target_id int, target_table text, seen boolean);
insert into members select i, 'member ' || i, date '2020-01-01' + i from generate_series(1, 14) i;
insert into shops select i, 'shop ' || i, 'kind ' || i % 2 from generate_series(1, 6) i;
insert into posts select i, i % 14 + 1, 'post ' || i from generate_series(1, 12) i;
insert into photos select i, i % 14 + 1, 'photo ' || i from generate_series(1, 9) i;
insert into payments select i, i % 6 + 1, i % 2, i % 5 + 1, (i + 1) % 2, i * 3.3 from generate_series(1, 16) i;
insert into remarks select i, i % 9 + 1, case i % 2 when 0 then 'Post' else 'Photo' end, i % 14 + 1, 'words' from generate_series(1, 18) i;
insert into attachments select i, case i % 2 when 0 then 'post' else 'member' end, i % 12 + 1, 'f' || i from generate_series(1, 12) i;
insert into notices select i, i % 6 + 1, case i % 2 when 0 then 'shops' else 'members' end, true from generate_series(1, 12) i;
