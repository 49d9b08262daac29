-- floor: 0300
-- How many videos a month of a paid period held at the most, over all seats: whoever takes a smaller plan keeps the one month
-- that they are ahead by the bigger one. See docs/decisions/1114.
alter table subscription_period add column most_a_month integer not null default 0;
select set_config('app.role', 'SYSTEM', true);
update subscription_period set most_a_month = case when ends < starts + interval '2 months' then videos else whole / 12 end;
select set_config('app.role', '', true);
