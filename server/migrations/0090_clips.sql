-- B-roll: a library for each company and one for the service. Titles and tags are what a clip is found by.
create function clip_words(title text, tags text[]) returns tsvector language sql immutable parallel safe
  as $$ select setweight(to_tsvector('english'::regconfig, title), 'A')
               || setweight(to_tsvector('english'::regconfig, array_to_string(tags, ' ')), 'B') $$;

create table clip (
  id          uuid primary key default uuidv7(),
  -- Whose library it is in: a company's, or without one the service's.
  tenant_id   uuid references tenant,
  asset_id    uuid not null unique references asset,
  title       text not null,
  tags        text[] not null default '{}',
  added_at    timestamptz not null default now(),
  modified_at timestamptz not null default now(),
  -- Taken out of the library: offered no more; edits that show it keep it.
  removed_at  timestamptz,
  words       tsvector generated always as (clip_words(title, tags)) stored
);
create index clip_library on clip (tenant_id, added_at, id) where removed_at is null;
create index clip_removed on clip (removed_at) where removed_at is not null;

-- Which files of libraries the edit of a project shows, as it was saved last.
create table edit_clip (
  project_id uuid not null references project,
  tenant_id  uuid,
  asset_id   uuid not null references asset on delete cascade,
  primary key (project_id, asset_id)
);
create index edit_clip_asset on edit_clip (asset_id);

alter table asset drop constraint asset_purpose_check;
alter table asset add constraint asset_purpose_check check (purpose in ('source', 'cut', 'clip'));

alter table clip enable row level security;      alter table clip force row level security;
alter table edit_clip enable row level security; alter table edit_clip force row level security;

-- Staff use the service's library and that of the companies they serve; an ADMIN writes the one they set up.
create policy clip_seen on clip for select
  using ((select serves_all()) or tenant_id = (select served_tenant()) or (tenant_id is null and (select served_tenant()) is not null));
create policy clip_written on clip
  using ((select actor_role()) in ('SYSTEM', 'ADMIN') and ((select serves_all()) or tenant_id = (select served_tenant())));
create policy edit_clip_seen on edit_clip
  using ((select serves_all()) or tenant_id = (select served_tenant()));

-- Whoever sees a clip sees its file.
drop policy asset_seen on asset;
create policy asset_seen on asset for select using (
  author_id = (select actor_id())
  or (((select serves_all()) or tenant_id = (select served_tenant()))
      and (project_id is not null or (select actor_role()) in ('SYSTEM', 'ADMIN')
           or exists (select from note_asset n where n.asset_id = asset.id)
           or exists (select from asset_face f where f.asset_id = asset.id)))
  or exists (select from project_cut c where c.asset_id = asset.id and c.user_id = actor_id() and c.verdict = 'approved')
  or exists (select from clip c where c.asset_id = asset.id)
);

grant select, insert, update, delete on clip, edit_clip to clear_app;
