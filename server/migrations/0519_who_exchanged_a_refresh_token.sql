-- floor: 0300
-- The hash of a secret of the browser that exchanged this token: by the secret it shows later that the answer which it asks for again
-- is its own. Null: exchanged by code of before, or by who has none. See docs/decisions/1242.
alter table refresh_token add column asked_by bytea;
