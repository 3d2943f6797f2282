-- Names with a dash, as an import looks for those written with a space: 2018 Topps Chrome - Gold Refractors.
create index sets_undashed on sets (replace(folded, '-', '') collate "C") where folded like '%-%' and audience >= 1;
