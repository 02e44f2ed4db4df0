-- Names of eight characters at most: two letters for the table, then the item.
--! key custmast (cmcustno)
--! key itemmast (imitemno)
--! key slsmast (smslsno)
--! key ordhdr (ohordno)
--! key orddtl (odordno, odlineno)
--! link ordhdr (ohcustno) -> custmast (cmcustno)
--! link ordhdr (ohslsno) -> slsmast (smslsno)
--! link orddtl (odordno) -> ordhdr (ohordno)
--! link orddtl (oditemno) -> itemmast (imitemno)
--! link custmast (cmslsno) -> slsmast (smslsno)
--! never custmast (cmcrlim)
--! never itemmast (imprice)
--! sum orddtl (odqty)
create table custmast (cmcustno int, cmname text, cmcity text, cmcrlim numeric(9,2), cmslsno int);
create table itemmast (imitemno int, imdesc text, imprice numeric(9,2), imuom text);
create table slsmast (smslsno int, smname text, smreg int);
create table ordhdr (ohordno int, ohcustno int, ohslsno int, ohdate date);
create table orddtl (odordno int, odlineno int, oditemno int, odqty int);
insert into custmast select i, 'cust ' || i, 'city', 500 * i, i % 4 + 1 from generate_series(1, 11) i;
insert into itemmast select i, 'item ' || i, i * 3, 'EA' from generate_series(1, 14) i;
insert into slsmast select i, 'rep ' || i, i % 3 + 1 from generate_series(1, 4) i;
insert into ordhdr select i, i % 11 + 1, i % 4 + 1, date '2022-03-01' + i from generate_series(1, 25) i;
insert into orddtl select i, l, (i + l) % 14 + 1, l from generate_series(1, 25) i, generate_series(1, 3) l;
