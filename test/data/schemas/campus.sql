-- A university: averages of grades, numbers of courses, people with schools and addresses.
--! key student (student_id)
--! key instructor (instructor_id)
--! key course (course_id)
--! key program (program_id)
--! key semester (semester_id)
--! link student (program_id) -> program (program_id)
--! link offering (course_id) -> course (course_id)
--! link offering (instructor_id) -> instructor (instructor_id)
--! link offering (semester) -> semester (semester_id)
--! link enrolment (student_id) -> student (student_id)
--! link enrolment (course_id) -> course (course_id)
--! link prerequisite (course_id) -> course (course_id)
--! link prerequisite (pre_course_id) -> course (course_id)
--! never student (total_gpa)
--! never student (major_gpa)
--! never student (entered_term)
--! never course (course_number)
--! never course (max_enrolment)
--! never enrolment (grade_points_avg)
--! sum course (credits)
create table student (student_id int, email text, high_school text, first_name text, last_name text, program_id int, total_gpa numeric(3,2), major_gpa numeric(3,2), entered_term int);
create table instructor (instructor_id int, uniqname text, name text);
create table program (program_id int, name text, college text);
create table course (course_id int, name text, course_number int, credits int, max_enrolment int);
create table semester (semester_id int, term text, year int);
create table offering (offering_id int, course_id int, instructor_id int, semester int, section_number int);
create table enrolment (student_id int, course_id int, grade text, grade_points_avg numeric(3,2));
create table prerequisite (pre_course_id int, course_id int);
insert into program select i, 'program ' || i, 'college' from generate_series(1, 4) i;
insert into student select i, 's' || i || '@example.org', 'school ' || i % 3, 'first ' || i, 'last ' || i, i % 4 + 1, 3.1, 3.2, i % 5 + 1 from generate_series(1, 15) i;
insert into instructor select i, 'u' || i, 'instructor ' || i from generate_series(1, 6) i;
insert into course select i, 'course ' || i, 100 + i, i % 4 + 1, 40 from generate_series(1, 10) i;
insert into semester select i, 'term ' || i, 2020 + i from generate_series(1, 5) i;
insert into offering select i, i % 10 + 1, i % 6 + 1, i % 5 + 1, i % 3 + 1 from generate_series(1, 14) i;
insert into enrolment select i % 15 + 1, i % 10 + 1, 'A', 3.5 from generate_series(1, 30) i;
insert into prerequisite select i, i + 1 from generate_series(1, 9) i;
