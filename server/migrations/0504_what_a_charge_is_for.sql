-- floor: 0300
-- The provider's id of the subscription that it was charged for; null: a single video, none of ours, or not read since. See
-- docs/decisions/1208.
alter table charge add column subscription_provider_id text;
