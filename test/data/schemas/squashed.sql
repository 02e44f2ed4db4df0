-- Words without anything between them, and two references to one table.
--! key film (filmid)
--! key actor (actorid)
--! key studio (studioid)
--! key keyphrase (keyphraseid)
--! link film (studioid) -> studio (studioid)
--! link casts (filmid) -> film (filmid)
--! link casts (actorid) -> actor (actorid)
--! link remake (originalfilmid) -> film (filmid)
--! link remake (remakefilmid) -> film (filmid)
--! link filmkeyphrase (filmid) -> film (filmid)
--! link filmkeyphrase (keyphraseid) -> keyphrase (keyphraseid)
--! never film (releaseyear)
--! never film (userrating)
--! sum film (grossamount)
create table film (filmid bigint, title text, studioid bigint, releaseyear int, userrating numeric(3,1), grossamount numeric(12,2));
create table actor (actorid bigint, actorname text);
create table studio (studioid bigint, studioname text);
create table casts (filmid bigint, actorid bigint);
create table remake (originalfilmid bigint, remakefilmid bigint);
create table keyphrase (keyphraseid bigint, keyphrasename text);
create table filmkeyphrase (filmid bigint, keyphraseid bigint);
insert into film select i, 'film ' || i, i % 3 + 1, 1990 + i, 7.1, i * 1000 from generate_series(1, 9) i;
insert into actor select i, 'actor ' || i from generate_series(1, 7) i;
insert into studio select i, 'studio ' || i from generate_series(1, 3) i;
insert into casts select i, i % 7 + 1 from generate_series(1, 9) i;
insert into remake select i, i + 4 from generate_series(1, 4) i;
insert into keyphrase select i, 'phrase ' || i from generate_series(1, 5) i;
insert into filmkeyphrase select i, i % 5 + 1 from generate_series(1, 6) i;
