-- German names; a clerk without a word that refers.
--! key Kunde (KundenNr)
--! key Lieferant (LieferantenNr)
--! key Artikel (ArtikelNr)
--! key Warengruppe (WGNr)
--! key Bestellung (BestellNr)
--! key Bestellposition (BestellNr, PosNr)
--! key Lagerort (LagerortID)
--! key Mitarbeiter (PersonalNr)
--! link Artikel (WGNr) -> Warengruppe (WGNr)
--! link Artikel (LieferantenNr) -> Lieferant (LieferantenNr)
--! link Bestellung (KundenNr) -> Kunde (KundenNr)
--! link Bestellung (Sachbearbeiter) -> Mitarbeiter (PersonalNr)
--! link Bestellposition (BestellNr) -> Bestellung (BestellNr)
--! link Bestellposition (ArtikelNr) -> Artikel (ArtikelNr)
--! link Lagerbestand (ArtikelNr) -> Artikel (ArtikelNr)
--! link Lagerbestand (LagerortID) -> Lagerort (LagerortID)
--! link Mitarbeiter (VorgesetzterNr) -> Mitarbeiter (PersonalNr)
--! sum Bestellposition (Menge)
--! sum Bestellung (Gesamtbetrag)
--! never Artikel (Listenpreis)
--! never Artikel (MwStSatz)
--! never Bestellposition (Einzelpreis)
--! never Bestellposition (RabattProzent)
--! never Kunde (PLZ)
--! never Lagerbestand (Stichtagsbestand)
--! never Artikel (Mindestbestand)
--! never Mitarbeiter (Geburtsjahr)
create table "Kunde" ("KundenNr" int, "Firmenname" text, "Straße" text, "PLZ" int, "Ort" text, "Kundenseit" date);
create table "Lieferant" ("LieferantenNr" int, "Name" text, "Ort" text);
create table "Warengruppe" ("WGNr" int, "Bezeichnung" text);
create table "Artikel" ("ArtikelNr" int, "Bezeichnung" text, "WGNr" int, "LieferantenNr" int, "Listenpreis" numeric(8,2), "MwStSatz" int, "Mindestbestand" int);
create table "Mitarbeiter" ("PersonalNr" int, "Vorname" text, "Nachname" text, "VorgesetzterNr" int, "Geburtsjahr" int);
create table "Bestellung" ("BestellNr" int, "KundenNr" int, "Sachbearbeiter" int, "Bestelldatum" date, "Lieferdatum" date, "Gesamtbetrag" numeric(10,2), "Status" text);
create table "Bestellposition" ("BestellNr" int, "PosNr" int, "ArtikelNr" int, "Menge" int, "Einzelpreis" numeric(8,2), "RabattProzent" numeric(4,1));
create table "Lagerort" ("LagerortID" int, "Bezeichnung" text);
create table "Lagerbestand" ("ArtikelNr" int, "LagerortID" int, "Stichtag" date, "Stichtagsbestand" int);
insert into "Kunde" select i, 'Firma '||i||' GmbH', 'Straße '||i, 1000+i*37, (array['Köln','Wien','Zürich','Graz'])[1+i%4], date '2015-01-01'+i*11 from generate_series(1,120) i;
insert into "Lieferant" select 500+i, 'Lieferant '||i, (array['Ulm','Linz'])[1+i%2] from generate_series(1,15) i;
insert into "Warengruppe" values (1,'Schrauben'),(2,'Dübel'),(3,'Werkzeug'),(4,'Farben');
insert into "Artikel" select 1000+i, 'Artikel '||i, 1+i%4, 501+i%15, 2.5+i, (array[7,19])[1+i%2], 10*(i%5) from generate_series(1,110) i;
insert into "Mitarbeiter" select i, 'Vorname'||i, 'Nachname'||i, case when i>2 then 1+i%2 end, 1960+i from generate_series(1,20) i;
insert into "Bestellung" select 70000+i, 1+(i*7)%120, 3+(i*5)%18, date '2025-01-02'+i%330, case when i%6<>0 then date '2025-01-05'+i%330 end, 0, (array['offen','geliefert','storniert'])[1+i%3] from generate_series(1,700) i;
insert into "Bestellposition" select 70000+i, p, 1001+(i*p*3)%110, 1+(i+p)%9, 3+(i*p)%100, (array[0,0,5,10])[1+i%4] from generate_series(1,700) i, generate_series(1,3) p where p<=1+i%3;
update "Bestellung" b set "Gesamtbetrag"=(select sum("Menge"*"Einzelpreis"*(1-"RabattProzent"/100)) from "Bestellposition" p where p."BestellNr"=b."BestellNr");
insert into "Lagerort" values (1,'Halle A'),(2,'Halle B'),(3,'Außenlager');
insert into "Lagerbestand" select 1000+i, l, d, (i*l)%80 from generate_series(1,110) i, generate_series(1,3) l, unnest(array[date '2025-09-30', date '2025-10-31']) d;
