-- A small clinic: departments, doctors, patients, appointments and what was done in them.
-- The rows are hashes of row numbers, so they are the same everywhere.

CREATE FUNCTION pg_temp.h(id bigint, salt bigint, below bigint) RETURNS integer
    LANGUAGE sql IMMUTABLE
    AS 'SELECT ((hashint8extended(id, salt) & 1073741823) % below)::integer';

CREATE TABLE public.departments (
    department_id    integer PRIMARY KEY,
    department_name  text NOT NULL UNIQUE,
    building         text NOT NULL
);
INSERT INTO departments VALUES
    (1, 'Cardiology', 'North Wing'), (2, 'Dermatology', 'South Wing'),
    (3, 'Orthopedics', 'North Wing'), (4, 'Pediatrics', 'South Wing'),
    (5, 'Radiology', 'Annex');

CREATE TABLE public.doctors (
    doctor_id      integer PRIMARY KEY,
    doctor_name    text NOT NULL UNIQUE,
    grade          text NOT NULL,
    department_id  integer NOT NULL REFERENCES departments,
    hired_on       date NOT NULL
);
INSERT INTO doctors
SELECT i, name, (ARRAY['Consultant', 'Resident', 'Head'])[1 + i % 3],
       1 + i % 5, date '2010-03-01' + pg_temp.h(i, 1, 5000)
FROM unnest(ARRAY['Adler', 'Brandt', 'Castillo', 'Dvorak', 'Eriksen', 'Fontaine', 'Gruber',
                  'Haddad', 'Ivanova', 'Jansen', 'Kimura', 'Lindqvist', 'Moreau'])
     WITH ORDINALITY AS t(name, i);

CREATE TABLE public.patients (
    patient_id     integer PRIMARY KEY,
    patient_name   text NOT NULL,
    gender         text NOT NULL,
    city           text NOT NULL,
    insurance      text,
    birth_date     date NOT NULL,
    registered_on  date NOT NULL
);
INSERT INTO patients
SELECT i, (ARRAY['Anna', 'Ben', 'Carla', 'David', 'Eva', 'Felix', 'Greta', 'Hugo'])
              [1 + pg_temp.h(i, 2, 8)] || ' ' ||
          (ARRAY['Berg', 'Costa', 'Dahl', 'Egger', 'Frank', 'Gallo', 'Hahn', 'Iversen',
                 'Kraus', 'Lang', 'Marino', 'Nowak'])[1 + pg_temp.h(i, 3, 12)],
       CASE pg_temp.h(i, 4, 2) WHEN 0 THEN 'female' ELSE 'male' END,
       (ARRAY['Graz', 'Linz', 'Salzburg', 'Vienna', 'Villach'])
           [1 + least(pg_temp.h(i, 5, 7), 4)],
       (ARRAY['public', 'public', 'public', 'private', 'private', NULL])
           [1 + pg_temp.h(i, 6, 6)],
       date '1940-01-01' + pg_temp.h(i, 7, 29000),
       date '2021-01-04' + pg_temp.h(i, 8, 1400)
FROM generate_series(1, 240) AS i;

CREATE TABLE public.procedures (
    procedure_id    integer PRIMARY KEY,
    procedure_name  text NOT NULL UNIQUE,
    kind            text NOT NULL,
    list_fee        numeric(8,2) NOT NULL
);
INSERT INTO procedures VALUES
    (1, 'Blood Test', 'Diagnostics', 32.00), (2, 'X-Ray', 'Diagnostics', 75.00),
    (3, 'MRI Scan', 'Diagnostics', 410.00), (4, 'Ultrasound', 'Diagnostics', 120.00),
    (5, 'Vaccination', 'Prevention', 28.50), (6, 'Check-up', 'Prevention', 60.00),
    (7, 'Physiotherapy', 'Therapy', 55.00), (8, 'Minor Surgery', 'Therapy', 690.00),
    (9, 'Wound Care', 'Therapy', 44.00), (10, 'Hearing Test', 'Diagnostics', 38.00);

CREATE TABLE public.appointments (
    appointment_id    integer PRIMARY KEY,
    patient_id        integer NOT NULL REFERENCES patients,
    doctor_id         integer NOT NULL REFERENCES doctors,
    appointment_date  date NOT NULL,
    status            text NOT NULL,
    visit_type        text NOT NULL,
    minutes           integer NOT NULL
);
INSERT INTO appointments
SELECT i, 1 + pg_temp.h(i, 10, 220), 1 + least(pg_temp.h(i, 11, 15), 12),
       date '2023-01-02' + (i * 1094 / 2600)::integer,
       (ARRAY['attended', 'attended', 'attended', 'attended', 'attended', 'attended',
              'cancelled', 'no_show'])[1 + pg_temp.h(i, 12, 8)],
       (ARRAY['first', 'follow_up', 'follow_up', 'emergency'])[1 + pg_temp.h(i, 13, 4)],
       10 + 5 * pg_temp.h(i, 14, 11)
FROM generate_series(1, 2600) AS i;

CREATE TABLE public.treatments (
    treatment_id    integer PRIMARY KEY,
    appointment_id  integer NOT NULL REFERENCES appointments,
    procedure_id    integer NOT NULL REFERENCES procedures,
    quantity        integer NOT NULL,
    amount          numeric(10,2) NOT NULL
);
INSERT INTO treatments
SELECT row_number() OVER (ORDER BY a.appointment_id, n),
       a.appointment_id, p.procedure_id, q.quantity,
       q.quantity * p.list_fee * (100 - 5 * pg_temp.h(a.appointment_id * 4 + n, 17, 3)) / 100
FROM appointments AS a
     CROSS JOIN LATERAL generate_series(1, 1 + pg_temp.h(a.appointment_id, 15, 3)) AS n
     JOIN procedures AS p
         ON p.procedure_id = 1 + pg_temp.h(a.appointment_id * 4 + n, 16, 9)
     CROSS JOIN LATERAL (SELECT 1 + pg_temp.h(a.appointment_id * 4 + n, 18, 3) / 2) AS q(quantity)
WHERE a.status = 'attended';
