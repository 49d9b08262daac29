-- What an officer says of a Home Tour's house when the video is sent in.
alter table project add column tour jsonb check (jsonb_typeof(tour) = 'object');
-- What an officer answers when asked about the finished video.
alter table project add column answer_score integer check (answer_score between 0 and 10);
alter table project add column answer_words text;
alter table project add column answered_at timestamptz;
alter table project add check ((answer_score is null) = (answered_at is null));
create index project_answered on project (answered_at, id) where answered_at is not null;

-- Of a brand kit, what whoever works on a video of this person reads in its brief; of one who is in another company now, nothing.
create function kit_of(person uuid, company uuid)
  returns table (b_roll text, facebook_link text, instagram_link text, guidelines_url text, asks_feedback boolean)
  language sql stable security definer rows 1 set search_path = public, pg_temp
  as $$
    select p.preferences->>'bRoll', p.preferences->>'facebookLink', p.preferences->>'instagramLink',
      t.preferences->>'guidelinesUrl', coalesce((p.preferences->>'isFeedbackEnabled')::boolean, true)
    from person p left join tenant t on t.id = company
    where p.id = person and p.tenant_id is not distinct from company
  $$;
