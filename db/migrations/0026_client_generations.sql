-- An access token carries the generation of its client. Approval of the scope `internal`, its withdrawal and the end of the
-- client begin a new one, and tokens of an earlier one open nothing, ever. Tokens from before this are of the first.
alter table credentials add column generation int not null default 0;
