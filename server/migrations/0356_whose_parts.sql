-- floor: 0300
-- Whose an upload was that a part belongs to: what one person may put beside their uploads is bounded over all of them (decision 680).
-- No reference: the row goes with its object. Those of before are nobody's, and are gone after two hours.
alter table stored_part add column sender_id uuid;
create index stored_part_sender on stored_part (sender_id);
