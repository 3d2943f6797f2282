-- Cards of one set that share number and people are duplicates, too, and may be dismissed.
alter table duplicate_dismissals drop constraint duplicate_dismissals_object_type_check;
-->
alter table duplicate_dismissals add constraint duplicate_dismissals_object_type_check
  check (object_type in ('players', 'teams', 'brands', 'manufacturers', 'sets', 'cards'));
