-- Two identifiers for each thing: a number by its initial, and a text that others refer to.
--! key club (club_id)
--! key member (member_id)
--! link visit (club_id) -> club (club_id)
--! link visit (member_id) -> member (member_id)
--! link opinion (club_id) -> club (club_id)
--! link opinion (member_id) -> member (member_id)
--! link opening (club_id) -> club (club_id)
--! never opinion (rating)
--! never visit (year)
--! sum visit (minutes_total)
create table club (cid bigint, club_id text, name text, latitude numeric(9,6), review_count int);
create table member (mid bigint, member_id text, name text);
create table visit (vid bigint, club_id text, member_id text, minutes_total int, year int);
create table opinion (oid bigint, club_id text, member_id text, rating numeric(2,1), month text);
create table opening (id bigint, club_id text, day text);
insert into club select i, 'cl' || i, 'club ' || i, 48.1, i from generate_series(1, 5) i;
insert into member select i, 'mb' || i, 'member ' || i from generate_series(1, 6) i;
insert into visit select i, 'cl' || i % 5 + 1, 'mb' || i % 6 + 1, i * 10, 2020 + i % 3 from generate_series(1, 9) i;
insert into opinion select i, 'cl' || i % 5 + 1, 'mb' || i % 6 + 1, 4.5, 'June' from generate_series(1, 8) i;
insert into opening select i, 'cl' || i, 'Monday' from generate_series(1, 5) i;
