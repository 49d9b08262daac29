-- floor: 0240
-- A take that begins on a phone is seen on the computer at once, not when it has ended.
create trigger asset_begun after insert on asset for each row execute function tell_asset_live();
