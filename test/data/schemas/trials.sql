-- Quoted names in capitals and a counter of visits.
--! key Studies (StudyId)
--! key Sites (StudyId, SiteNo)
--! key Investigators (InvestigatorId)
--! key Subjects (SubjectId)
--! key Visits (VisitId)
--! key LabTests (TestCode)
--! key LabResults (LabResultId)
--! key AdverseEvents (AdverseEventId)
--! link Sites (StudyId) -> Studies (StudyId)
--! link Sites (PrincipalInvestigatorId) -> Investigators (InvestigatorId)
--! link Subjects (StudyId, SiteNo) -> Sites (StudyId, SiteNo)
--! link Subjects (StudyId) -> Studies (StudyId)
--! link Visits (SubjectId) -> Subjects (SubjectId)
--! link LabResults (VisitId) -> Visits (VisitId)
--! link LabResults (TestCode) -> LabTests (TestCode)
--! link AdverseEvents (SubjectId) -> Subjects (SubjectId)
--! link AdverseEvents (ReportedByInvestigatorId) -> Investigators (InvestigatorId)
--! never Subjects (AgeAtEnrollment)
--! never Subjects (BodyMassIndex)
--! never Visits (VisitNo)
--! never LabTests (NormalLow)
--! never LabResults (ResultValue)
--! never AdverseEvents (SeverityGrade)
--! sum Studies (BudgetAmount)
--! sum Visits (CostAmount)
create table "Studies" ("StudyId" int, "Title" text, "Phase" int, "StartDate" date, "EndDate" date, "BudgetAmount" numeric(14,2));
create table "Investigators" ("InvestigatorId" int, "FullName" text, "Hospital" text);
create table "Sites" ("StudyId" int, "SiteNo" int, "City" text, "PrincipalInvestigatorId" int);
create table "Subjects" ("SubjectId" int, "StudyId" int, "SiteNo" int, "Sex" char(1), "AgeAtEnrollment" int, "BodyMassIndex" numeric(4,1), "EnrolledOn" date, "WithdrawnOn" date, "Arm" text);
create table "Visits" ("VisitId" int, "SubjectId" int, "VisitNo" int, "VisitDate" date, "CostAmount" numeric(10,2));
create table "LabTests" ("TestCode" text, "TestName" text, "Unit" text, "NormalLow" numeric, "NormalHigh" numeric);
create table "LabResults" ("LabResultId" int, "VisitId" int, "TestCode" text, "ResultValue" numeric(8,2));
create table "AdverseEvents" ("AdverseEventId" int, "SubjectId" int, "SeverityGrade" int, "Term" text, "OnsetDate" date, "ReportedByInvestigatorId" int);
insert into "Studies" select i, 'Study '||i, 1+i%3, date '2022-01-01'+i*60, date '2024-06-01'+i*30, 1000000+i*137000 from generate_series(1,6) i;
insert into "Investigators" select i, 'Dr. '||(array['Adams','Baker','Clark','Dunn','Evans'])[1+i%5]||' '||i, (array['General','St. Mary','University'])[1+i%3] from generate_series(1,15) i;
insert into "Sites" select s, n, (array['Boston','Basel','Berlin','Bergen'])[1+(s+n)%4], 1+(s*4+n*7)%15 from generate_series(1,6) s, generate_series(1,4) n;
insert into "Subjects" select i, 1+i%6, 1+(i/6)%4, (array['F','M'])[1+i%2], 20+(i*7)%60, 18+(i*3)%15+0.5, date '2022-06-01'+i, case when i%9=0 then date '2023-02-01'+i end, (array['placebo','low dose','high dose'])[1+i%3] from generate_series(1,240) i;
insert into "Visits" select (s-1)*5+v, s, v, date '2022-06-10'+s+v*30, 150+v*20+s%7 from generate_series(1,240) s, generate_series(1,5) v;
insert into "LabTests" values ('HGB','Haemoglobin','g/dL',12,17),('WBC','Leukocytes','10^9/L',4,11),('ALT','Alanine transaminase','U/L',7,56),('CRE','Creatinine','mg/dL',0.6,1.3);
insert into "LabResults" select (v-1)*3+k, v, (array['HGB','WBC','ALT','CRE'])[1+(v+k)%4], 5+(v*k*7)%40+0.25 from generate_series(1,1200) v, generate_series(1,3) k;
insert into "AdverseEvents" select i, 1+(i*17)%240, 1+i%5, (array['headache','nausea','rash','fatigue'])[1+i%4], date '2022-08-01'+i*2, 1+(i*11)%15 from generate_series(1,180) i;
