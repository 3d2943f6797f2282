-- The log of usage by day: where it begins, and what of it is to go.
create index usage_days_day on usage_days (day);
-->
-- How many cards of a set have an image.
create index cards_imaged on cards (set_id) where image_ids is not null and deleted_at is null;
