-- Each key is the first letter of its table and "id".
--! key artist (aid)
--! key piece (pid)
--! key venue (vid)
--! key label (lid)
--! key genre (gid)
--! link artist (lid) -> label (lid)
--! link plays (aid) -> artist (aid)
--! link plays (pid) -> piece (pid)
--! link piece (gid) -> genre (gid)
--! link genre_artist (aid) -> artist (aid)
--! link genre_artist (gid) -> genre (gid)
--! link concert (vid) -> venue (vid)
--! link concert (pid) -> piece (pid)
--! never piece (gid)
--! never piece (year)
--! sum concert (seats)
create table artist (aid bigint, homepage text, name text, lid bigint);
create table piece (title text, gid bigint, pid bigint, listener_num int, year int);
create table venue (name text, vid bigint, city text);
create table label (lid bigint, name text, continent text);
create table genre (gid bigint, name text);
create table plays (aid bigint, pid bigint);
create table genre_artist (aid bigint, gid bigint);
create table concert (vid bigint, pid bigint, seats int);
insert into artist select i, 'http://a' || i, 'artist ' || i, i % 4 + 1 from generate_series(1, 6) i;
insert into piece select 'piece ' || i, i % 5 + 1, i, i * 13 % 9, 2018 + i % 4 from generate_series(1, 9) i;
insert into venue select 'venue ' || i, i, 'town ' || i % 3 from generate_series(1, 4) i;
insert into label select i, 'label ' || i, 'Europe' from generate_series(1, 4) i;
insert into genre select i, 'genre ' || i from generate_series(1, 5) i;
insert into plays select i % 6 + 1, i from generate_series(1, 9) i;
insert into genre_artist select i, i % 5 + 1 from generate_series(1, 6) i;
insert into concert select i % 4 + 1, i, i * 50 from generate_series(1, 7) i;
