-- floor: 0213
-- What ended stays ended: a mark of an end is set once, and no statement of the product's takes it away, whoever it runs as.
-- server/test/end-marks.test.ts asks it of every column of this kind. See docs/decisions/0600.
create function keep_end() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception '% of % stays', tg_argv[0], tg_table_name using errcode = 'CT409';
end $$;

create trigger end_stays before update on api_key for each row
  when (old.revoked_at is not null and new.revoked_at is null) execute function keep_end('revoked_at');
create trigger end_stays before update on session_family for each row
  when (old.revoked_at is not null and new.revoked_at is null) execute function keep_end('revoked_at');
create trigger end_stays before update on refresh_token for each row
  when (old.rotated_at is not null and new.rotated_at is null) execute function keep_end('rotated_at');
create trigger end_stays before update on one_time_token for each row
  when (old.redeemed_at is not null and new.redeemed_at is null) execute function keep_end('redeemed_at');
create trigger end_stays before update on recovery_code for each row
  when (old.used_at is not null and new.used_at is null) execute function keep_end('used_at');
create trigger end_stays before update on provider_walk for each row
  when (old.used_at is not null and new.used_at is null) execute function keep_end('used_at');
create trigger end_stays before update on signing_key for each row
  when (old.retired_at is not null and new.retired_at is null) execute function keep_end('retired_at');
create trigger end_stays before update on totp for each row
  when (old.confirmed_at is not null and new.confirmed_at is null) execute function keep_end('confirmed_at');
create trigger end_stays before update on person for each row
  when (old.removed_at is not null and new.removed_at is null) execute function keep_end('removed_at');
create trigger end_stays before update on removal for each row
  when (old.finished_at is not null and new.finished_at is null) execute function keep_end('finished_at');
create trigger acceptance_stays before update on invitation for each row
  when (old.accepted_at is not null and new.accepted_at is null) execute function keep_end('accepted_at');
create trigger end_stays before update on invitation for each row
  when (old.withdrawn_at is not null and new.withdrawn_at is null) execute function keep_end('withdrawn_at');
create trigger end_stays before update on note for each row
  when (old.deleted_at is not null and new.deleted_at is null) execute function keep_end('deleted_at');
create trigger end_stays before update on notification for each row
  when (old.deleted_at is not null and new.deleted_at is null) execute function keep_end('deleted_at');
create trigger end_stays before update on project_comment for each row
  when (old.deleted_at is not null and new.deleted_at is null) execute function keep_end('deleted_at');
create trigger end_stays before update on trigger_run for each row
  when (old.ended_at is not null and new.ended_at is null) execute function keep_end('ended_at');
create trigger end_stays before update on refund for each row
  when (old.settled_at is not null and new.settled_at is null) execute function keep_end('settled_at');
