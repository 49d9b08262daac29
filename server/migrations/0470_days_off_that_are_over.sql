-- floor: 0300
-- Sixty stretches of days off may lie ahead; what is over is kept for a year beside them. See docs/decisions/1134.
alter table person drop constraint person_time_off_check,
  add constraint person_time_off_check check (jsonb_typeof(time_off) = 'array' and jsonb_array_length(time_off) <= 426);
