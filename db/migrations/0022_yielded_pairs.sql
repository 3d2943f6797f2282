-- In a mirror the source has given the player and the team of a yielded player-team to another one: its own change is on the
-- way, and until that comes both stand.
alter table player_teams add column is_yielded boolean not null default false;
-->
drop index player_teams_pair;
-->
create unique index player_teams_pair on player_teams (player_id, team_id) where not is_yielded;
