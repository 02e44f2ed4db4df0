-- A prefix for the database, one for each table, and no capitals left: mkOrClId became mkorclid.
--! key mkclient (mkclid)
--! key mkorder (mkorid)
--! key mkproduct (mkprodid)
--! key mkwarehouse (mkwhid)
--! link mkorder (mkorclid) -> mkclient (mkclid)
--! link mkorder (mkorprodid) -> mkproduct (mkprodid)
--! link mkorder (mkorwhid) -> mkwarehouse (mkwhid)
--! link mkdailystock (mkdsprodid) -> mkproduct (mkprodid)
--! link mkdailystock (mkdswhid) -> mkwarehouse (mkwhid)
--! never mkdailystock (mkdsclosingstock)
--! never mkproduct (mkprodprice)
--! sum mkorder (mkoramount)
create table mkClient (mkClId varchar(20), mkClName varchar(100), mkClEmail varchar(100), mkClCity varchar(50), mkClStatus varchar(10));
create table mkOrder (mkOrId varchar(50), mkOrClId varchar(20), mkOrProdId varchar(20), mkOrWhId int, mkOrDate date,
  mkOrQuantity int, mkOrAmount numeric(12,2), mkOrTax numeric(10,2));
create table mkProduct (mkProdId varchar(20), mkProdName varchar(50), mkProdPrice numeric(10,2), mkProdActive boolean);
create table mkWarehouse (mkWhId int, mkWhName text, mkWhCity text);
create table mkDailyStock (mkDsProdId varchar(20), mkDsWhId int, mkDsDate date, mkDsOpeningStock int, mkDsClosingStock int);
insert into mkClient select 'C00' || i, 'client ' || i, 'c' || i || '@example.org', 'city ' || i % 4, 'active' from generate_series(1, 9) i;
insert into mkProduct select 'P00' || i, 'product ' || i, i * 2.5, true from generate_series(1, 8) i;
insert into mkWarehouse select i, 'house ' || i, 'city' from generate_series(1, 3) i;
insert into mkOrder select 'O00' || i, 'C00' || i % 9 + 1, 'P00' || i % 8 + 1, i % 3 + 1, date '2023-01-01' + i, i, i * 7.5, i from generate_series(1, 12) i;
insert into mkDailyStock select 'P00' || i, i % 3 + 1, date '2023-01-01' + i % 4, 100 + i, 90 + i from generate_series(1, 8) i;
