-- Names with a dash, as an import looks for those written with a space or in one word: Ha-Seong Kim, Ha Seong Kim.
create index players_undashed on players (replace(folded, '-', '') collate "C") where folded like '%-%';
-->
create index teams_undashed on teams (replace(folded, '-', '') collate "C") where folded like '%-%';
