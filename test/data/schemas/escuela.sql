-- Spanish names, with marks, years and days of the week that are numbers.
--! key alumnos (id_alumno)
--! key profesores (id_profesor)
--! key asignaturas (cod_asignatura)
--! key departamentos (id_depto)
--! key matriculas (id_matricula)
--! key aulas (id_aula)
--! link profesores (id_depto) -> departamentos (id_depto)
--! link departamentos (id_director) -> profesores (id_profesor)
--! link asignaturas (id_depto) -> departamentos (id_depto)
--! link asignaturas (requisito) -> asignaturas (cod_asignatura)
--! link matriculas (id_alumno) -> alumnos (id_alumno)
--! link matriculas (cod_asignatura) -> asignaturas (cod_asignatura)
--! link horarios (cod_asignatura) -> asignaturas (cod_asignatura)
--! link horarios (id_aula) -> aulas (id_aula)
--! link horarios (id_profesor) -> profesores (id_profesor)
--! link pagos (id_alumno) -> alumnos (id_alumno)
--! sum pagos (importe)
--! sum aulas (plazas)
--! never matriculas (nota)
--! never matriculas (anio)
--! never profesores (sueldo_por_hora)
--! never horarios (dia_semana)
--! never asignaturas (creditos_minimos)
create table departamentos (id_depto int, nombre text, id_director int);
create table profesores (id_profesor int, nombre text, apellidos text, correo text, id_depto int, sueldo_por_hora numeric(6,2), fecha_alta date);
create table alumnos (id_alumno int, nombre text, apellidos text, fecha_nacimiento date, ciudad text);
create table asignaturas (cod_asignatura text, titulo text, id_depto int, creditos int, creditos_minimos int, requisito text);
create table matriculas (id_matricula int, id_alumno int, cod_asignatura text, anio int, semestre int, nota numeric(4,2), fecha_matricula date);
create table aulas (id_aula int, edificio text, plazas int);
create table horarios (cod_asignatura text, id_aula int, id_profesor int, dia_semana int, hora_inicio time);
create table pagos (id_pago int, id_alumno int, importe numeric(8,2), fecha_pago date, concepto text);
insert into departamentos select i, (array['Matemáticas','Física','Letras','Economía'])[i], i*3 from generate_series(1,4) i;
insert into profesores select i, 'Nombre'||i, 'Apellido'||i, 'p'||i||'@uni.es', 1+i%4, 20+i%15, date '2005-09-01'+i*100 from generate_series(1,30) i;
insert into alumnos select i, 'Al'||i, 'García '||i, date '2000-01-01'+i*3, (array['Sevilla','Madrid','Cádiz'])[1+i%3] from generate_series(1,250) i;
insert into asignaturas select 'AS'||100+i, 'Asignatura '||i, 1+i%4, 3+i%4, i%3*6, case when i>8 then 'AS'||100+i-8 end from generate_series(1,40) i;
insert into matriculas select i, 1+(i*11)%250, 'AS'||101+(i*7)%40, 2022+i%4, 1+i%2, case when i%10<>0 then 3+(i*13)%70/10.0 end, date '2022-09-01'+(i%4)*365+i%30 from generate_series(1,2000) i;
insert into aulas select i, (array['Norte','Sur'])[1+i%2], 30+i*5 from generate_series(1,12) i;
insert into horarios select 'AS'||100+i, 1+(i+d)%12, 1+(i*d)%30, d, time '08:00'+(i%5)*interval '2 hours' from generate_series(1,40) i, generate_series(1,3) d;
insert into pagos select i, 1+(i*19)%250, 100+(i*7)%600, date '2024-01-10'+i%500, (array['matrícula','residencia'])[1+i%2] from generate_series(1,900) i;
