-- Abbreviated names as in software for factories; keys of a number and a counter.
--! key itm_mst (itm_cd)
--! key wc_mst (wc_cd)
--! key wo_hdr (wo_no)
--! key wo_opr (wo_no, opr_seq)
--! key emp_mst (emp_id)
--! key vnd_mst (vnd_id)
--! key rsn_cd (rsn)
--! link wo_hdr (itm_cd) -> itm_mst (itm_cd)
--! link wo_opr (wo_no) -> wo_hdr (wo_no)
--! link wo_opr (wc_cd) -> wc_mst (wc_cd)
--! link wo_opr (opr_emp_id) -> emp_mst (emp_id)
--! link bom (prnt_itm_cd) -> itm_mst (itm_cd)
--! link bom (comp_itm_cd) -> itm_mst (itm_cd)
--! link scrp_trx (wo_no) -> wo_hdr (wo_no)
--! link scrp_trx (rsn) -> rsn_cd (rsn)
--! link itm_mst (pref_vnd_id) -> vnd_mst (vnd_id)
--! link emp_mst (mgr_emp_id) -> emp_mst (emp_id)
--! sum wo_hdr (qty_ord)
--! sum wo_hdr (qty_cmp)
--! sum scrp_trx (scrp_qty)
--! sum wo_opr (run_hrs)
--! never itm_mst (std_cst)
--! never itm_mst (ld_tm_days)
--! never wo_opr (opr_seq)
--! never bom (scrp_pct)
--! never wc_mst (hrly_rt)
--! never bom (lvl)
create table itm_mst (itm_cd varchar(12), itm_desc text, uom varchar(3), std_cst numeric(10,4), ld_tm_days int, pref_vnd_id int);
create table wc_mst (wc_cd varchar(6), wc_desc text, hrly_rt numeric(8,2));
create table wo_hdr (wo_no int, itm_cd varchar(12), qty_ord int, qty_cmp int, strt_dt date, due_dt date, cmp_dt date, sts char(1));
create table wo_opr (wo_no int, opr_seq int, wc_cd varchar(6), opr_emp_id int, run_hrs numeric(6,2), setup_hrs numeric(6,2));
create table bom (prnt_itm_cd varchar(12), comp_itm_cd varchar(12), qty_per numeric(8,3), scrp_pct numeric(5,2), lvl int);
create table scrp_trx (trx_id int, wo_no int, rsn varchar(4), scrp_qty int, trx_ts timestamp);
create table rsn_cd (rsn varchar(4), rsn_desc text);
create table emp_mst (emp_id int, emp_nm text, mgr_emp_id int, hire_dt date);
create table vnd_mst (vnd_id int, vnd_nm text, cntry varchar(2));
insert into itm_mst select 'IT'||1000+i, 'Item '||i, (array['EA','KG'])[1+i%2], 1.25*i, 2+i%20, 200+i%9 from generate_series(1,150) i;
insert into wc_mst values ('CUT','Cutting',40),('WELD','Welding',55),('PNT','Painting',35),('ASM','Assembly',38);
insert into wo_hdr select 5000+i, 'IT'||1001+(i*7)%150, 10+i%90, 8+i%90, date '2025-02-01'+i%250, date '2025-02-11'+i%250, case when i%5<>0 then date '2025-02-09'+i%250+i%8 end, (array['O','C','C'])[1+i%3] from generate_series(1,600) i;
insert into wo_opr select 5000+i, s*10, (array['CUT','WELD','PNT','ASM'])[s], 1+(i*s*3)%40, 1.5+(i*s)%9, 0.5 from generate_series(1,600) i, generate_series(1,4) s where s<=2+i%3;
insert into bom select 'IT'||1000+i, 'IT'||1000+i+k*9, k*1.5, 2.5, 1 from generate_series(1,110) i, generate_series(1,3) k where i+k*9<=150;
insert into rsn_cd values ('R01','Crack'),('R02','Wrong size'),('R03','Scratch'),('R04','Colour'),('R05','Burr'),('R06','Other');
insert into scrp_trx select i, 5001+(i*11)%600, 'R0'||1+i%6, 1+i%4, timestamp '2025-03-01 08:00'+i*interval '3 hours' from generate_series(1,800) i;
insert into emp_mst select i, 'Emp '||i, case when i>3 then 1+i%3 end, date '2012-01-01'+i*50 from generate_series(1,40) i;
insert into vnd_mst select 199+i, 'Vendor '||i, (array['DE','CN','US'])[1+i%3] from generate_series(1,12) i;
