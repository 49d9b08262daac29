-- floor: 0300
-- When the answer to a renewal is given again, the asker brings a new secret. The hash of the one that was shown stays beside it, for
-- other tabs of that browser, which ask at the same moment and know that one alone. See docs/decisions/1249.
alter table refresh_token add column asked_before bytea;
