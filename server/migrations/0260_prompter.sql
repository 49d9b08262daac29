-- floor: 0240
-- What a recorder and a second device of the same person, which holds its words, tell each other. It is of use for a moment, so
-- it is news alone. See docs/decisions/0650.
create function tell_prompter(person uuid, said json) returns void language sql as $$
  insert into news (told) values (json_build_object('type', 'prompter', 'said', said, 'userId', person));
$$;
