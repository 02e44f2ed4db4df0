-- "id" comes first, names are French and Spanish.
--! key clients (id_client)
--! key produits (id_produit)
--! key categories (id_categorie)
--! key commandes (id_commande)
--! key sucursales (id_sucursal)
--! key empleados (id_empleado)
--! link commandes (id_client) -> clients (id_client)
--! link commandes (id_sucursal) -> sucursales (id_sucursal)
--! link produits (id_categorie) -> categories (id_categorie)
--! link lignes_commande (id_commande) -> commandes (id_commande)
--! link lignes_commande (id_produit) -> produits (id_produit)
--! link empleados (id_sucursal) -> sucursales (id_sucursal)
--! link commandes (id_empleado) -> empleados (id_empleado)
--! never produits (prix_unitaire)
--! never clients (code_postal)
--! sum lignes_commande (quantite)
create table clients (id_client int, nom text, code_postal int);
create table produits (id_produit int, libelle text, id_categorie int, prix_unitaire numeric(8,2));
create table categories (id_categorie int, libelle text);
create table commandes (id_commande int, id_client int, id_sucursal int, id_empleado int, fecha date);
create table lignes_commande (id_commande int, id_produit int, quantite int);
create table sucursales (id_sucursal int, ciudad text);
create table empleados (id_empleado int, nombre text, id_sucursal int, salario numeric(9,2));
insert into clients select i, 'client ' || i, 75000 + i from generate_series(1, 10) i;
insert into categories select i, 'cat ' || i from generate_series(1, 4) i;
insert into produits select i, 'produit ' || i, i % 4 + 1, i * 2.2 from generate_series(1, 13) i;
insert into sucursales select i, 'ciudad ' || i from generate_series(1, 3) i;
insert into empleados select i, 'nombre ' || i, i % 3 + 1, 1000 + i from generate_series(1, 6) i;
insert into commandes select i, i % 10 + 1, i % 3 + 1, i % 6 + 1, date '2023-02-01' + i from generate_series(1, 22) i;
insert into lignes_commande select i, (i + p) % 13 + 1, p from generate_series(1, 22) i, generate_series(1, 2) p;
