-- A take that is sent while it is being recorded: its length is not known yet (`is_open`; until it is, `file_size` is the
-- room that is kept for it), and the recorder's own id of it makes two beginnings one upload. See docs/decisions/0470.
alter table asset
  add column is_open boolean not null default false,
  add column take_id uuid;
create unique index asset_take on asset (author_id, take_id) where take_id is not null;
