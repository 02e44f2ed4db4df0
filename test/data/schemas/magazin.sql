-- Russian names.
--! key клиенты (клиент_id)
--! key товары (товар_id)
--! key заказы (заказ_id)
--! key категории (категория_id)
--! link товары (категория_id) -> категории (категория_id)
--! link заказы (клиент_id) -> клиенты (клиент_id)
--! link позиции (заказ_id) -> заказы (заказ_id)
--! link позиции (товар_id) -> товары (товар_id)
--! sum позиции (количество)
--! sum заказы (сумма)
--! never товары (цена)
--! never позиции (скидка_процент)
--! never заказы (год)
create table клиенты (клиент_id int, имя text, город text, дата_регистрации date);
create table категории (категория_id int, название text);
create table товары (товар_id int, название text, категория_id int, цена numeric(8,2));
create table заказы (заказ_id int, клиент_id int, дата_заказа date, сумма numeric(10,2), год int);
create table позиции (заказ_id int, товар_id int, количество int, скидка_процент int);
insert into клиенты select i, 'Клиент '||i, (array['Москва','Казань'])[1+i%2], date '2020-01-01'+i from generate_series(1,130) i;
insert into категории values (1,'Книги'),(2,'Игры'),(3,'Кофе');
insert into товары select i, 'Товар '||i, 1+i%3, 10+i from generate_series(1,105) i;
insert into заказы select i, 1+(i*7)%130, date '2024-01-01'+i%500, 20+i%400, 2024+(i%500)/366 from generate_series(1,700) i;
insert into позиции select i, 1+(i*k*3)%105, 1+k, (array[0,5])[k] from generate_series(1,700) i, generate_series(1,2) k;
