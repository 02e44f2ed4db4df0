-- German names: plurals that English does not know, Nr, compound words.
--! key kunden (kundennr)
--! key mitarbeiter (mitarbeiter_id)
--! key artikel (artikelnr)
--! key bestellungen (bestellnr)
--! key lieferanten (lieferant_id)
--! key warengruppen (warengruppe_id)
--! key abteilungen (abteilung_id)
--! link bestellungen (kundennr) -> kunden (kundennr)
--! link bestellungen (mitarbeiter_id) -> mitarbeiter (mitarbeiter_id)
--! link bestellpositionen (bestellnr) -> bestellungen (bestellnr)
--! link bestellpositionen (artikelnr) -> artikel (artikelnr)
--! link artikel (lieferant_id) -> lieferanten (lieferant_id)
--! link artikel (warengruppe_id) -> warengruppen (warengruppe_id)
--! link mitarbeiter (abteilung_id) -> abteilungen (abteilung_id)
--! link mitarbeiter (vorgesetzter_id) -> mitarbeiter (mitarbeiter_id)
--! never artikel (einzelpreis)
--! never kunden (plz)
--! never kunden (rabattsatz)
--! sum bestellpositionen (menge)
create table kunden (kundennr int, firma text, plz int, ort text, rabattsatz numeric(4,2));
create table mitarbeiter (mitarbeiter_id int, nachname text, vorname text, abteilung_id int, vorgesetzter_id int);
create table abteilungen (abteilung_id int, bezeichnung text);
create table lieferanten (lieferant_id int, firma text);
create table warengruppen (warengruppe_id int, bezeichnung text);
create table artikel (artikelnr int, bezeichnung text, lieferant_id int, warengruppe_id int, einzelpreis numeric(8,2));
create table bestellungen (bestellnr int, kundennr int, mitarbeiter_id int, bestelldatum date);
create table bestellpositionen (bestellnr int, position int, artikelnr int, menge int);
insert into kunden select i, 'Firma ' || i, 10000 + i, 'Ort ' || i, 2.5 from generate_series(1, 12) i;
insert into abteilungen select i, 'Abteilung ' || i from generate_series(1, 4) i;
insert into mitarbeiter select i, 'Nach' || i, 'Vor' || i, i % 4 + 1, nullif(i / 3, 0) from generate_series(1, 10) i;
insert into lieferanten select i, 'Lieferant ' || i from generate_series(1, 5) i;
insert into warengruppen select i, 'Gruppe ' || i from generate_series(1, 3) i;
insert into artikel select i, 'Artikel ' || i, i % 5 + 1, i % 3 + 1, i * 1.1 from generate_series(1, 20) i;
insert into bestellungen select i, i % 12 + 1, i % 10 + 1, date '2023-01-01' + i from generate_series(1, 30) i;
insert into bestellpositionen select i, p, (i + p) % 20 + 1, p * 2 from generate_series(1, 30) i, generate_series(1, 2) p;
