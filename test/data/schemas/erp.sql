-- Keys of five letters that say the same thing in each table, as text with leading zeros.
--! key kna1 (kunnr)
--! key mara (matnr)
--! key vbak (vbeln)
--! key t001w (werks)
--! link vbak (kunnr) -> kna1 (kunnr)
--! link vbap (vbeln) -> vbak (vbeln)
--! link vbap (matnr) -> mara (matnr)
--! link vbap (werks) -> t001w (werks)
--! link mard (matnr) -> mara (matnr)
--! link mard (werks) -> t001w (werks)
--! never vbap (posnr)
create table kna1 (kunnr char(10), name1 text, ort01 text, land1 char(2));
create table mara (matnr char(18), mtart char(4), meins char(3));
create table t001w (werks char(4), name1 text);
create table vbak (vbeln char(10), kunnr char(10), erdat date, netwr numeric(12,2));
create table vbap (vbeln char(10), posnr int, matnr char(18), werks char(4), kwmeng numeric(10,3), netpr numeric(10,2));
create table mard (matnr char(18), werks char(4), labst numeric(10,3));
insert into kna1 select lpad(i::text, 10, '0'), 'name ' || i, 'ort', 'DE' from generate_series(1, 12) i;
insert into mara select lpad((700 + i)::text, 18, '0'), 'FERT', 'ST' from generate_series(1, 15) i;
insert into t001w select '10' || lpad(i::text, 2, '0'), 'werk ' || i from generate_series(1, 6) i;
insert into vbak select lpad((4000 + i)::text, 10, '0'), lpad((i % 12 + 1)::text, 10, '0'), date '2023-01-01' + i, i * 100 from generate_series(1, 20) i;
insert into vbap select lpad((4000 + i)::text, 10, '0'), p * 10, lpad((700 + i % 15 + 1)::text, 18, '0'), '10' || lpad((i % 6 + 1)::text, 2, '0'), p, 12.5
  from generate_series(1, 20) i, generate_series(1, 2) p;
insert into mard select lpad((700 + i)::text, 18, '0'), '10' || lpad((i % 6 + 1)::text, 2, '0'), i from generate_series(1, 15) i;
