-- What became of the first cut's decisions in what was rendered, by rule: { rule: { kept, undone, added } }, said once, when
-- the render is asked for. Null for renders from before this column. See docs/decisions/0442.
alter table render add column outcomes jsonb;
-- Whoever sums them asks for the cuts of a period.
create index project_cut_sent on project_cut (sent_at);
