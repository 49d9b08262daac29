-- Wrong guesses at a code are counted for each network, so that a stranger's do not use up those of whoever asked for it.

alter table one_time_token
  -- What stands for the network that asked for a code.
  add column asked_by text,
  -- Wrong guesses by what stands for a network.
  add column guesses jsonb not null default '{}';
-- From now on what all other networks than the asking one have left together.
comment on column one_time_token.tries_left is 'wrong guesses that networks other than the asking one have left together';
