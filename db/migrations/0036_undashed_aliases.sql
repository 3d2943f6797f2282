-- Aliases with a dash, as an import looks for those written with a space or in one word: Shin-Soo Choo, Shin Soo Choo.
create index players_alias_undashed on players using gin (alias_folds(replace(aliases, '-', ''))) with (fastupdate = off)
  where aliases like '%-%' and audience >= 1;
-->
create index teams_alias_undashed on teams using gin (alias_folds(replace(aliases, '-', ''))) with (fastupdate = off)
  where aliases like '%-%' and audience >= 1;
