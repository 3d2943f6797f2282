-- What readers of published data lost, by type: it tells which bulk files have records that are published no longer. A row takes
-- part only if its change hid or deleted something published.
create index changes_withdrawn on changes (type, no) where audience_before = 2 and audience_after < 2;
