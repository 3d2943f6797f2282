-- A database of Cardstock 1.0.0, made by test/upgrade/make-dump.ts.
-- {"version":"1.0.0","at":"2026-11-22T19:58:14.540Z","email":"person-1@example.org","password":"correct horse battery","callers":{"key":{"Authorization":"Bearer cardstock_test_MlMvxts76TZtPm59qmIk3VrIpq1Vk7NNvlG11n801Nf"},"session":{"Authorization":"Bearer cardstock_session_Mi7nDZI7EeF6F6ypzk8tqiTSgmmdcp76q2T5dOiuiHn"},"token":{"Authorization":"Bearer cardstock_pat_WglqBDizY2MdY2LdHwZorP10FQLSvry34m5AO8IJjIJ"},"client":{"Authorization":"Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJqdGkiOiIwMWEyMDRkNi03NWU4LTc1ZWYtYjgwOS1jZTkzN2YxNWNhZGQiLCJzdWIiOiIwMWEyMDRkNi03MjY0LTc2YWUtOTYyMC00OWJmMmIxZTZiNDkiLCJnZW4iOjAsInNjb3BlIjoicmVhZDpwdWJsaXNoZWQiLCJleHAiOjE3OTU0NjM4OTMsImlhdCI6MTc5NTM3NzQ5M30.Xfsd_FhZ66c5lo_AJjeho2ztVeBzEemras_sThoQiQE"},"anonymous":{},"reader":{"Authorization":"Bearer cardstock_pat_La0nTiVHzuFWc0C9AWNujDvophB5DjwyH9uUsku3FLr"},"operator":{"Authorization":"Bearer cardstock_session_dvY8KNGdQBgJyU4alTzZG6ycOmTQYhW6V5sdTtV2OQ3"}},"migrations":{"0001_baseline":"405bc3cec0c9a01d8dcbd112ecd70362f394b2f68bf3f6fbf1d90bc4becfe091"}}

delete from attributes;
insert into attributes ("id", "audience", "version", "created_at", "updated_at", "deleted_at", "name", "attribute", "description", "color") values
('01a204d6-67a1-738e-965e-a0276d5e59c0', '2', '1', '2026-11-22 19:58:09.823+00', '2026-11-22 19:58:09.823+00', NULL, 'Attribute 100013', 'A 100012', NULL, '#fff'),
('01a204d6-67bb-776e-8f97-98ed709e3025', '2', '1', '2026-11-22 19:58:09.838+00', '2026-11-22 19:58:09.838+00', NULL, 'Attribute 100015', 'A 100014', 'Rookie', NULL),
('01a204d6-6b22-743d-a6c0-0c2756a3b60c', '2', '1', '2026-11-22 19:58:10.697+00', '2026-11-22 19:58:10.697+00', NULL, 'Attribute 100022', 'A 100021', NULL, NULL),
('01a204d6-6b50-71ea-8d5b-1fac9e041961', '2', '1', '2026-11-22 19:58:10.767+00', '2026-11-22 19:58:10.767+00', NULL, 'Attribute 100024', 'A 100023', NULL, NULL),
('01a204d6-6b82-7378-bf67-978a761bf9b9', '2', '1', '2026-11-22 19:58:10.816+00', '2026-11-22 19:58:10.816+00', NULL, 'Attribute 100026', 'A 100025', NULL, NULL),
('01a204d6-6bb8-7257-923d-10e7bcb8bca8', '2', '1', '2026-11-22 19:58:10.868+00', '2026-11-22 19:58:10.868+00', NULL, 'Attribute 100028', 'A 100027', NULL, NULL),
('01a204d6-6bff-718c-8e74-a3d9ce7d0b5a', '2', '1', '2026-11-22 19:58:10.921+00', '2026-11-22 19:58:10.921+00', NULL, 'Attribute 100030', 'A 100029', NULL, NULL),
('01a204d6-6d97-774e-9524-3ead3f90a0b3', '0', '2', '2026-11-22 19:58:11.336+00', '2026-11-22 19:58:11.723+00', '2026-11-22 19:58:11.723+00', 'Attribute 100034', 'A 100033', NULL, NULL),
('01a204d6-6f59-7659-9756-b57a60f91f28', '2', '1', '2026-11-22 19:58:11.8+00', '2026-11-22 19:58:11.8+00', NULL, 'Attribute 100041', 'A 100033', NULL, NULL),
('01a204d6-6fc6-77e0-9510-cbd3432a967d', '2', '1', '2026-11-22 19:58:11.901+00', '2026-11-22 19:58:11.901+00', NULL, 'Rookie Card', 'RC', NULL, NULL);

delete from audit_log_counts;
insert into audit_log_counts ("day", "event_type", "auditable_type", "session", "entries") values
('2026-11-22', 'api_key.issued', 'api_key', '25778', '3'),
('2026-11-22', 'client.created', 'client', '25778', '1'),
('2026-11-22', 'dump.made', 'set', '25778', '1'),
('2026-11-22', 'invite.claimed', 'invite', '25778', '1'),
('2026-11-22', 'invite.created', 'invite', '25778', '1'),
('2026-11-22', 'personal_token.created', 'personal_token', '25778', '1'),
('2026-11-22', 'set.deleted', 'set', '25778', '1'),
('2026-11-22', 'set.published', 'set', '25778', '1'),
('2026-11-22', 'set.published', 'set', '26209', '1'),
('2026-11-22', 'set_todo.created', 'set_todo', '25778', '2');

delete from audit_logs;
insert into audit_logs ("id", "event_type", "auditable_type", "auditable_id", "agent_id", "data", "created_at") values
('1', 'set.published', 'set', '01a204d6-64ec-7230-8939-6a53e011dfc2', 'user:01a204d6-625b-7114-ada7-8a1259e7bedc', '{"name":"Set 100005","from":"draft","to":"published"}', '2026-11-22 19:58:11.206+00'),
('10', 'api_key.issued', 'api_key', '01a204d6-7571-7484-9743-14e8465f6cbe', 'user:01a204d6-7569-73a9-8b40-f407bf8d4d67', '{"replaces":null}', '2026-11-22 19:58:13.35+00'),
('11', 'set_todo.created', 'set_todo', '01a204d6-767e-7608-9f15-7667a236909d', 'user:01a204d6-625b-7114-ada7-8a1259e7bedc', '{"set_id":"01a204d6-764c-7780-914d-3296a4a746b7","step":"fetch","status":"pending"}', '2026-11-22 19:58:13.602+00'),
('12', 'set_todo.created', 'set_todo', '01a204d6-768d-77da-a3e3-83bf159d4c81', 'user:01a204d6-625b-7114-ada7-8a1259e7bedc', '{"set_id":"01a204d6-764c-7780-914d-3296a4a746b7","step":"parse","status":"pending"}', '2026-11-22 19:58:13.641+00'),
('13', 'dump.made', 'set', '01a204d6-764c-7780-914d-3296a4a746b7', 'user:01a204d6-625b-7114-ada7-8a1259e7bedc', '{"by":["hand"]}', '2026-11-22 19:58:13.85+00'),
('2', 'set.deleted', 'set', '01a204d6-6e2e-754e-8c5b-a328be1dcfde', 'user:01a204d6-625b-7114-ada7-8a1259e7bedc', '{"name":"Set 100038","from":"draft","to":"deleted"}', '2026-11-22 19:58:11.626+00'),
('3', 'set.published', 'set', '01a204d6-709a-7051-ae17-0055f5d43b35', 'user:01a204d6-625b-7114-ada7-8a1259e7bedc', '{"name":"1993 Finest","from":"none","to":"published"}', '2026-11-22 19:58:11.901+00'),
('4', 'invite.created', 'invite', '01a204d6-7148-746f-afea-74a24dfeb712', 'user:01a204d6-625b-7114-ada7-8a1259e7bedc', '{"max_uses":5,"expires_at":"2026-12-06T19:58:12.289Z","pinned":false}', '2026-11-22 19:58:12.289+00'),
('5', 'invite.claimed', 'invite', '01a204d6-7148-746f-afea-74a24dfeb712', 'user:01a204d6-71c6-7660-b047-9af6dfad139c', NULL, '2026-11-22 19:58:12.386+00'),
('6', 'api_key.issued', 'api_key', '01a204d6-7212-7239-bb12-f515f1bf115c', 'user:01a204d6-71c6-7660-b047-9af6dfad139c', '{"replaces":null}', '2026-11-22 19:58:12.386+00'),
('7', 'client.created', 'client', '01a204d6-7264-76ae-9620-49bf2b1e6b49', 'user:01a204d6-71c6-7660-b047-9af6dfad139c', '{"name":"prices","scope":"read:published"}', '2026-11-22 19:58:12.56+00'),
('8', 'personal_token.created', 'personal_token', '01a204d6-7289-7046-85a7-4b11a86605b0', 'user:01a204d6-71c6-7660-b047-9af6dfad139c', '{"name":"prices","scope":"read:published"}', '2026-11-22 19:58:12.592+00'),
('9', 'api_key.issued', 'api_key', '01a204d6-73d1-7648-9657-dc28af40b3ce', 'user:01a204d6-73ca-7513-9234-cb3291781e5f', '{"replaces":null}', '2026-11-22 19:58:12.934+00');

delete from users;
insert into users ("id", "email", "email_key", "name", "password_hash", "operator", "verified_at", "created_at", "updated_at", "signed_up") values
('01a204d6-61f6-7498-a089-9d7507953183', '01a204d6-61f6-7498-a089-9d7507953183@example.org', '01a204d6-61f6-7498-a089-9d7507953183@example.org', NULL, NULL, 'false', '2026-11-22 19:58:08.374+00', '2026-11-22 19:58:08.374+00', '2026-11-22 19:58:08.374+00', 'false'),
('01a204d6-625b-7114-ada7-8a1259e7bedc', '01a204d6-625b-7114-ada7-8a1259e7bedc@example.org', '01a204d6-625b-7114-ada7-8a1259e7bedc@example.org', NULL, NULL, 'true', '2026-11-22 19:58:08.475+00', '2026-11-22 19:58:08.475+00', '2026-11-22 19:58:08.475+00', 'false'),
('01a204d6-6262-70f6-b01d-1b112e4e738a', '01a204d6-6262-70f6-b01d-1b112e4e738a@example.org', '01a204d6-6262-70f6-b01d-1b112e4e738a@example.org', NULL, NULL, 'false', '2026-11-22 19:58:08.482+00', '2026-11-22 19:58:08.482+00', '2026-11-22 19:58:08.482+00', 'false'),
('01a204d6-71c6-7660-b047-9af6dfad139c', 'person-1@example.org', 'person-1@example.org', NULL, '$argon2id$v=19$m=8,t=1,p=1$yDos3xoEAhqjJOtg+GeI9FXNRBmiGh81QboOsHiBPnM$FCXus2KXiDefL13qRZEqZcr3ZidJuU8zWZWNA1TPHO0', 'false', '2026-11-22 19:58:12.386+00', '2026-11-22 19:58:12.386+00', '2026-11-22 19:58:12.386+00', 'true'),
('01a204d6-73ca-7513-9234-cb3291781e5f', 'person-3@example.org', 'person-3@example.org', NULL, '$argon2id$v=19$m=8,t=1,p=1$Ft3KsKaLZ/n7KF9ZsVDO/o4HxWjH6SgXlqpdwlCKtms$YUqiNA9OrhgZJj6cyLZ1kq/9gzZy/j9oDpz9hdjo4P0', 'false', '2026-11-22 19:58:12.934+00', '2026-11-22 19:58:12.934+00', '2026-11-22 19:58:13.088+00', 'true'),
('01a204d6-74b7-73ab-bfd4-f46a0535fd0b', '01a204d6-74b7-73ab-bfd4-f46a0535fd0b@example.org', '01a204d6-74b7-73ab-bfd4-f46a0535fd0b@example.org', NULL, NULL, 'false', '2026-11-22 19:58:13.175+00', '2026-11-22 19:58:13.175+00', '2026-11-22 19:58:13.175+00', 'false'),
('01a204d6-7569-73a9-8b40-f407bf8d4d67', 'person-6@example.org', 'person-6@example.org', NULL, '$argon2id$v=19$m=8,t=1,p=1$OeFKOLvVCvaguiWYyC83lpCX7Bjeg4CmrROGWZMV/tg$qpWl3zbBHtD5UeRq4blQbqRweXPnC+XR4MxwpkA7/go', 'false', '2026-11-22 19:58:13.35+00', '2026-11-22 19:58:13.35+00', '2026-11-22 19:58:13.35+00', 'true');

delete from billing_accounts;
insert into billing_accounts ("user_id", "stripe_customer_id", "customer_key", "looks", "applied_look", "created_at") values
('01a204d6-74b7-73ab-bfd4-f46a0535fd0b', 'cus_e7887b858736c4159c5dbdce', '90164789-cdc9-4656-8659-dd717b6e7273', '3', '3', '2026-11-22 19:58:13.186+00');

delete from brands;
insert into brands ("id", "audience", "version", "created_at", "updated_at", "deleted_at", "name", "description") values
('01a204d6-6474-741f-b76e-e243a6008a12', '2', '1', '2026-11-22 19:58:09.008+00', '2026-11-22 19:58:09.008+00', NULL, 'Brand 100003', NULL),
('01a204d6-697c-7462-b016-d720cae6960c', '1', '1', '2026-11-22 19:58:10.297+00', '2026-11-22 19:58:10.297+00', NULL, 'Brand 100017', ''),
('01a204d6-6e1f-710d-afad-0e038549991f', '0', '2', '2026-11-22 19:58:11.453+00', '2026-11-22 19:58:11.789+00', '2026-11-22 19:58:11.789+00', 'Brand 100037', NULL),
('01a204d6-7059-7207-bba7-4726378d7888', '2', '1', '2026-11-22 19:58:11.901+00', '2026-11-22 19:58:11.901+00', NULL, 'Finest', NULL);

delete from bulk_files;
insert into bulk_files ("id", "generation", "resource", "count", "bytes", "sha256", "feed_no", "generated_at") values
('01a204d6-7787-71a6-90c9-8b887891db9f', '01a204d6-7787-71b3-908d-4ca7d8c70281', 'attributes', '9', '794', '580b4569f8a229e1f5b2747256d6abce461dbd63368c5eb2828542b0775c2e1b', '110', '2026-11-22 19:58:13.895+00'),
('01a204d6-7787-71a7-aa1d-edef8e79c8b1', '01a204d6-7787-71b3-908d-4ca7d8c70281', 'brands', '2', '300', '180e7b1344b32f2e367703f30fb911169a1b611b36ab667ea6c9a5e8011554ee', '110', '2026-11-22 19:58:13.895+00'),
('01a204d6-7787-71a8-8f5f-1a28e4d271f9', '01a204d6-7787-71b3-908d-4ca7d8c70281', 'manufacturers', '2', '308', 'd9e11051f41dbc13da72edf046ce4d6c2df50301afe4fbd7017f68d0871e3386', '110', '2026-11-22 19:58:13.895+00'),
('01a204d6-7787-71a9-b91a-92992a7d3289', '01a204d6-7787-71b3-908d-4ca7d8c70281', 'genres', '2', '323', 'ad08f9e2faab6036e5dd05952fc94483ffaef32738401b5a4408d8e5383541d0', '110', '2026-11-22 19:58:13.895+00'),
('01a204d6-7787-71aa-8ed0-97c8bd746dc5', '01a204d6-7787-71b3-908d-4ca7d8c70281', 'years', '2', '272', '8781591e8b8f4adcea05e19be51bf4b39b6cb489155d0fc548d1737d4d968d81', '110', '2026-11-22 19:58:13.895+00'),
('01a204d6-7787-71ab-a89e-099b5a24000d', '01a204d6-7787-71b3-908d-4ca7d8c70281', 'teams', '2', '342', '9306a9e18111ae7288682e387aac695e28cb84ec545ff860149ddad9c405541b', '110', '2026-11-22 19:58:13.895+00'),
('01a204d6-7787-71ac-a2c7-6e97dd4c4bf4', '01a204d6-7787-71b3-908d-4ca7d8c70281', 'players', '4', '502', 'b3e5ee09422280e24c78415ec7676b065865713735d44c72fdaff79f0f93d53c', '110', '2026-11-22 19:58:13.895+00'),
('01a204d6-7787-71ad-89e5-27c431c7b6a9', '01a204d6-7787-71b3-908d-4ca7d8c70281', 'playerteams', '3', '638', '95eb15c10f24b7276a8ba21c77bbd54eabce7b88c55538c68bff6adea2407bd8', '110', '2026-11-22 19:58:13.895+00'),
('01a204d6-7787-71ae-a032-d53baabed4c1', '01a204d6-7787-71b3-908d-4ca7d8c70281', 'sets', '2', '764', 'aabd0fc4bcb36ded72aa60d51ff21569d8f43c9d27407168292fed35b17ddb68', '110', '2026-11-22 19:58:13.895+00'),
('01a204d6-7787-71af-b324-4577b186769f', '01a204d6-7787-71b3-908d-4ca7d8c70281', 'cards', '5', '1331', '80f197826dfa755986e451cc4805bfb976201f49c591c93439fbe041fb64c175', '110', '2026-11-22 19:58:13.895+00'),
('01a204d6-7787-71b0-b481-4a3d0482eb6c', '01a204d6-7787-71b3-908d-4ca7d8c70281', 'object-attributes', '4', '765', '17e9b6cba3dd8cf4526fe6f552ca78d4be773a69809c63e580b918dec5ce226a', '110', '2026-11-22 19:58:13.895+00'),
('01a204d6-7787-71b1-8a30-c7e34a4ca4ba', '01a204d6-7787-71b3-908d-4ca7d8c70281', 'card_images', '1', '376', '2b7be395e3b9f0cbdf19818a6d47e332e3f86ea7af846bec79a19df328ee496a', '110', '2026-11-22 19:58:13.895+00'),
('01a204d6-7787-71b2-886d-921a1578a4d2', '01a204d6-7787-71b3-908d-4ca7d8c70281', 'set_sources', '1', '321', '6bfed844622b5a176df1487a94c8219701e509b6d8bd608487f772ded16afad1', '110', '2026-11-22 19:58:13.895+00');

delete from genres;
insert into genres ("id", "audience", "version", "created_at", "updated_at", "deleted_at", "name", "description") values
('01a204d6-63d7-71bd-a7fb-f364d7972549', '2', '1', '2026-11-22 19:58:08.774+00', '2026-11-22 19:58:08.774+00', NULL, 'Genre 100001', 'Nine
"innings"'),
('01a204d6-6dde-74c5-b5f2-e84b52228e1d', '0', '2', '2026-11-22 19:58:11.419+00', '2026-11-22 19:58:11.736+00', '2026-11-22 19:58:11.736+00', 'Genre 100035', NULL),
('01a204d6-6f54-719c-bbb1-1092d98de624', '1', '1', '2026-11-22 19:58:11.794+00', '2026-11-22 19:58:11.794+00', NULL, 'Genre 100035', NULL),
('01a204d6-6ffc-7381-b840-8b16aa32c192', '2', '1', '2026-11-22 19:58:11.901+00', '2026-11-22 19:58:11.901+00', NULL, 'Baseball', NULL);

delete from years;
insert into years ("id", "audience", "version", "created_at", "updated_at", "deleted_at", "name") values
('01a204d6-6420-7668-9fbb-c8f8b620fe4d', '2', '1', '2026-11-22 19:58:08.925+00', '2026-11-22 19:58:08.925+00', NULL, '1986-87'),
('01a204d6-6df6-72da-9110-094b600cc776', '0', '2', '2026-11-22 19:58:11.428+00', '2026-11-22 19:58:11.744+00', '2026-11-22 19:58:11.744+00', 'Year 100036'),
('01a204d6-700f-71de-81dd-51a764eaf39d', '2', '1', '2026-11-22 19:58:11.901+00', '2026-11-22 19:58:11.901+00', NULL, '1993');

delete from manufacturers;
insert into manufacturers ("id", "audience", "version", "created_at", "updated_at", "deleted_at", "name", "description") values
('01a204d6-64db-7288-a94e-9e887e53d5e3', '2', '1', '2026-11-22 19:58:09.089+00', '2026-11-22 19:58:09.089+00', NULL, 'Manufacturer 100004', NULL),
('01a204d6-7039-724b-a73c-2e5761336671', '2', '1', '2026-11-22 19:58:11.901+00', '2026-11-22 19:58:11.901+00', NULL, 'Topps', NULL);

delete from sets;
insert into sets ("id", "no", "name", "description", "status", "kind", "release_date", "genre_id", "year_id", "year_key", "brand_id", "manufacturer_id", "parent_id", "live_cards", "audience", "version", "created_at", "updated_at", "deleted_at") values
('01a204d6-64ec-7230-8939-6a53e011dfc2', '1', 'Set 100005', 'A set', 'published', 'base', '1986-10-01', '01a204d6-63d7-71bd-a7fb-f364d7972549', '01a204d6-6420-7668-9fbb-c8f8b620fe4d', '1986-87', '01a204d6-6474-741f-b76e-e243a6008a12', '01a204d6-64db-7288-a94e-9e887e53d5e3', NULL, '4', '2', '2', '2026-11-22 19:58:09.128+00', '2026-11-22 19:58:11.206+00', NULL),
('01a204d6-65af-73db-b947-13cd61c6ff98', '2', 'Set 100006', NULL, 'draft', 'parallel', NULL, '01a204d6-63d7-71bd-a7fb-f364d7972549', '01a204d6-6420-7668-9fbb-c8f8b620fe4d', '1986-87', '01a204d6-6474-741f-b76e-e243a6008a12', '01a204d6-64db-7288-a94e-9e887e53d5e3', '01a204d6-64ec-7230-8939-6a53e011dfc2', '1', '1', '1', '2026-11-22 19:58:09.326+00', '2026-11-22 19:58:09.326+00', NULL),
('01a204d6-65ed-770b-bbc5-b4b4ae2c6c95', '3', 'Set 100007', NULL, 'draft', 'insert', NULL, NULL, NULL, NULL, NULL, NULL, '01a204d6-6612-72f5-8e84-ed5b69490b77', '0', '1', '2', '2026-11-22 19:58:09.386+00', '2026-11-22 19:58:09.47+00', NULL),
('01a204d6-6612-72f5-8e84-ed5b69490b77', '4', 'Set 100008', NULL, 'draft', 'base', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '0', '1', '1', '2026-11-22 19:58:09.425+00', '2026-11-22 19:58:09.425+00', NULL),
('01a204d6-69bb-750f-af4b-f11a3c533e65', '5', 'Set 100020', '', 'draft', 'base', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '0', '1', '1', '2026-11-22 19:58:10.358+00', '2026-11-22 19:58:10.358+00', NULL),
('01a204d6-6e2e-754e-8c5b-a328be1dcfde', '6', 'Set 100038', NULL, 'draft', 'base', NULL, '01a204d6-6dde-74c5-b5f2-e84b52228e1d', '01a204d6-6df6-72da-9110-094b600cc776', 'year 100036', '01a204d6-6e1f-710d-afad-0e038549991f', NULL, NULL, '1', '0', '2', '2026-11-22 19:58:11.501+00', '2026-11-22 19:58:11.626+00', '2026-11-22 19:58:11.626+00'),
('01a204d6-709a-7051-ae17-0055f5d43b35', '7', '1993 Finest', NULL, 'published', 'base', NULL, '01a204d6-6ffc-7381-b840-8b16aa32c192', '01a204d6-700f-71de-81dd-51a764eaf39d', '1993', '01a204d6-7059-7207-bba7-4726378d7888', '01a204d6-7039-724b-a73c-2e5761336671', NULL, '1', '2', '1', '2026-11-22 19:58:11.901+00', '2026-11-22 19:58:11.901+00', NULL),
('01a204d6-764c-7780-914d-3296a4a746b7', '8', 'Set 100043', NULL, 'draft', 'base', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '3', '1', '1', '2026-11-22 19:58:13.523+00', '2026-11-22 19:58:13.523+00', NULL);

delete from cards;
insert into cards ("id", "set_id", "set_no", "number", "number_key", "name", "serial_number", "image_uuid", "title", "notes", "parent_id", "has_player", "has_team", "oncard_ids", "attribute_ids", "image_ids", "version", "created_at", "updated_at", "deleted_at") values
('04cb5b87-42c2-45bc-ac34-fa5b73e3bc13', '01a204d6-64ec-7230-8939-6a53e011dfc2', '1', NULL, '1', 'of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the  house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house  / of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the  house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house ', NULL, NULL, NULL, NULL, NULL, 'true', 'true', 'p01a204d6-68e1-724a-9b4b-16fd36a748d7,x01a204d6-68f8-7744-91de-e5073370441a', NULL, NULL, '1', '2026-11-22 19:58:10.191+00', '2026-11-22 19:58:10.191+00', NULL),
('48530e84-13ae-44f6-b4b1-8ba538956135', '01a204d6-65af-73db-b947-13cd61c6ff98', '2', '2', '012', '2 Pat Player 100010', NULL, NULL, NULL, NULL, '5f4702aa-6f84-4622-9341-fe469514effa', 'true', 'true', 'x01a204d6-6787-7782-ab22-b7c2c443a81e', NULL, NULL, '1', '2026-11-22 19:58:10.071+00', '2026-11-22 19:58:10.071+00', NULL),
('59a771f5-246a-4f7c-850c-73db0857a678', '01a204d6-764c-7780-914d-3296a4a746b7', '8', '1', '011', '1', NULL, NULL, NULL, NULL, NULL, 'false', 'false', NULL, NULL, NULL, '1', '2026-11-22 19:58:14.09+00', '2026-11-22 19:58:14.09+00', NULL),
('5f4702aa-6f84-4622-9341-fe469514effa', '01a204d6-64ec-7230-8939-6a53e011dfc2', '1', '2', '012', E'2 Pat Player 100010 / Pelé / Team 100011  A|B "C" \\  A 100012 A 100014 /50', '/50', NULL, E' A|B "C" \\ ', 'First
second', NULL, 'true', 'true', 'x01a204d6-6787-7782-ab22-b7c2c443a81e,p01a204d6-66ab-71de-977a-afb907754eb4,t01a204d6-674e-736a-8c59-ce31a6e2418c', '01a204d6-67a1-738e-965e-a0276d5e59c0,01a204d6-67bb-776e-8f97-98ed709e3025', NULL, '1', '2026-11-22 19:58:10.037+00', '2026-11-22 19:58:10.037+00', NULL),
('7d20a3b1-0830-48d1-a9ed-a140404acb34', '01a204d6-64ec-7230-8939-6a53e011dfc2', '1', '3', '013', '3 Pat Player 100031 / Pat Player 100031 A 100033', NULL, NULL, NULL, NULL, NULL, 'true', 'true', 'x01a204d6-6da1-757b-b5f8-93edbdf482d1,p01a204d6-6d6d-76b5-817e-7a85cff86ab5', '01a204d6-6d97-774e-9524-3ead3f90a0b3', NULL, '2', '2026-11-22 19:58:11.371+00', '2026-11-22 19:58:11.391+00', '2026-11-22 19:58:11.391+00'),
('7edcc41c-bb3c-83e4-8640-249e8cb1a9b6', '01a204d6-709a-7051-ae17-0055f5d43b35', '7', '1', '011', '1 Ken Griffey Jr. RC /199', '/199', NULL, NULL, NULL, NULL, 'true', 'true', 'x01a204d6-7112-764a-9a84-ae5ee6bdd488', '01a204d6-6fc6-77e0-9510-cbd3432a967d', NULL, '1', '2026-11-22 19:58:11.901+00', '2026-11-22 19:58:11.901+00', NULL),
('8b1e8cc7-6bc9-4037-9054-18aee4a6d719', '01a204d6-64ec-7230-8939-6a53e011dfc2', '1', NULL, '1', '', '', '01a204d6-6a7b-73aa-9f04-96790145af1d', '', '', NULL, 'false', 'false', NULL, NULL, '01a204d6-6a7b-73aa-9f04-96790145af1d', '3', '2026-11-22 19:58:10.281+00', '2026-11-22 19:58:10.419+00', NULL),
('a7d508d6-f0f9-46bd-8e78-009715004e70', '01a204d6-64ec-7230-8939-6a53e011dfc2', '1', '9', '019', '9', NULL, NULL, NULL, NULL, '48530e84-13ae-44f6-b4b1-8ba538956135', 'false', 'false', NULL, NULL, NULL, '1', '2026-11-22 19:58:10.086+00', '2026-11-22 19:58:10.086+00', NULL),
('df2c04b2-faa8-404d-9866-1f34a8a02c23', '01a204d6-764c-7780-914d-3296a4a746b7', '8', '2', '012', '2', NULL, NULL, NULL, NULL, NULL, 'false', 'false', NULL, NULL, NULL, '1', '2026-11-22 19:58:14.09+00', '2026-11-22 19:58:14.09+00', NULL),
('e1c89444-dcf8-46b2-b075-87a8b238610a', '01a204d6-6e2e-754e-8c5b-a328be1dcfde', '6', '1', '011', '1 Pat Player 100031 / Pat Player 100010 A 100033', NULL, NULL, NULL, NULL, NULL, 'true', 'true', 'p01a204d6-6d6d-76b5-817e-7a85cff86ab5,x01a204d6-6787-7782-ab22-b7c2c443a81e', '01a204d6-6d97-774e-9524-3ead3f90a0b3', NULL, '1', '2026-11-22 19:58:11.599+00', '2026-11-22 19:58:11.599+00', NULL),
('f2f182c8-2aa3-4471-8fdc-9c6770d4e583', '01a204d6-764c-7780-914d-3296a4a746b7', '8', '3', '013', '3', NULL, NULL, NULL, NULL, NULL, 'false', 'false', NULL, NULL, NULL, '1', '2026-11-22 19:58:14.09+00', '2026-11-22 19:58:14.09+00', NULL);

delete from card_attributes;
insert into card_attributes ("card_id", "attribute_id", "set_no", "number_key") values
('5f4702aa-6f84-4622-9341-fe469514effa', '01a204d6-67a1-738e-965e-a0276d5e59c0', '1', '012'),
('5f4702aa-6f84-4622-9341-fe469514effa', '01a204d6-67bb-776e-8f97-98ed709e3025', '1', '012'),
('7d20a3b1-0830-48d1-a9ed-a140404acb34', '01a204d6-6d97-774e-9524-3ead3f90a0b3', '1', '013'),
('7edcc41c-bb3c-83e4-8640-249e8cb1a9b6', '01a204d6-6fc6-77e0-9510-cbd3432a967d', '7', '011'),
('e1c89444-dcf8-46b2-b075-87a8b238610a', '01a204d6-6d97-774e-9524-3ead3f90a0b3', '6', '011');

delete from jobs;
insert into jobs ("id", "name", "payload", "key", "status", "priority", "run_at", "attempts", "max_attempts", "holder", "locked_until", "progress", "last_error", "result", "created_at", "finished_at") values
('01a204d6-6f7a-7717-8aa0-09374338debb', 'catalog_import', '{}', NULL, 'completed', '0', '2026-11-22 19:58:11.829+00', '1', '25', NULL, NULL, '{"bytes_read":171,"bytes_total":171,"is_written":true,"cards":1,"point":{"items":0,"sets":{},"report":{"files":1,"forms":{"csv":1},"sets":{"created":1,"updated":0,"unchanged":0,"failed":0},"cards":{"created":1,"updated":0,"unchanged":0,"failed":0},"records":{"created":0,"updated":0,"unchanged":0,"failed":0},"players":1,"teams":1,"playerTeams":1,"labels":5,"rules":{},"faults":[],"faultCount":1,"notes":{},"keptNotes":5}}}', NULL, NULL, '2026-11-22 19:58:11.829+00', '2026-11-22 19:58:12.286+00'),
('01a204d6-7184-7633-a9fc-4a3ae3be2d49', 'send_verification', '{}', NULL, 'completed', '10', '2026-11-22 19:58:12.301+00', '1', '10', NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:12.301+00', '2026-11-22 19:58:12.382+00'),
('01a204d6-7195-77a4-8205-6c5e99536044', 'send_mail', '{}', 'mail verification 01a204d6-7184-7633-a9fc-4a3ae3be2d49', 'completed', '10', '2026-11-22 19:58:12.362+00', '1', '20', NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:12.362+00', '2026-11-22 19:58:12.385+00'),
('01a204d6-721f-7010-98eb-9b806d050c6c', 'send_mail', '{}', 'mail welcome 01a204d6-71c6-7660-b047-9af6dfad139c', 'completed', '10', '2026-11-22 19:58:12.386+00', '1', '20', NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:12.386+00', '2026-11-22 19:58:12.814+00'),
('01a204d6-732f-71bc-948c-52701ede42df', 'send_password_reset', '{}', NULL, 'completed', '10', '2026-11-22 19:58:12.763+00', '1', '10', NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:12.763+00', '2026-11-22 19:58:12.862+00'),
('01a204d6-7341-7034-a898-d1a91df271ed', 'send_verification', '{}', NULL, 'completed', '10', '2026-11-22 19:58:12.787+00', '1', '10', NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:12.787+00', '2026-11-22 19:58:12.916+00'),
('01a204d6-7377-7768-9339-8b23853ab1d5', 'send_mail', '{}', 'mail password reset 01a204d6-732f-71bc-948c-52701ede42df', 'completed', '10', '2026-11-22 19:58:12.828+00', '1', '20', NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:12.828+00', '2026-11-22 19:58:12.922+00'),
('01a204d6-73a7-7588-8daa-bdc2683d7c75', 'send_mail', '{}', 'mail verification 01a204d6-7341-7034-a898-d1a91df271ed', 'completed', '10', '2026-11-22 19:58:12.894+00', '1', '20', NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:12.894+00', '2026-11-22 19:58:12.934+00'),
('01a204d6-73d4-73fb-8d41-8cb3853cc4e4', 'send_mail', '{}', 'mail welcome 01a204d6-73ca-7513-9234-cb3291781e5f', 'completed', '10', '2026-11-22 19:58:12.934+00', '1', '20', NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:12.934+00', '2026-11-22 19:58:12.996+00'),
('01a204d6-73f9-77b0-87d0-a9a63d007748', 'send_mail', '{}', NULL, 'completed', '10', '2026-11-22 19:58:12.976+00', '1', '20', NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:12.976+00', '2026-11-22 19:58:13.026+00'),
('01a204d6-74af-7301-be2c-12a8c56b39b8', 'stripe_address', '{"userId":"01a204d6-73ca-7513-9234-cb3291781e5f"}', NULL, 'completed', '0', '2026-11-22 19:58:13.088+00', '1', '10', NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:13.088+00', '2026-11-22 19:58:13.35+00'),
('01a204d6-74b0-70c7-af98-209a553833f4', 'send_mail', '{}', NULL, 'completed', '10', '2026-11-22 19:58:13.088+00', '1', '20', NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:13.088+00', '2026-11-22 19:58:13.327+00'),
('01a204d6-74b5-75d2-b996-4a83de0e7331', 'send_mail', '{}', NULL, 'completed', '10', '2026-11-22 19:58:13.169+00', '1', '20', NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:13.169+00', '2026-11-22 19:58:13.329+00'),
('01a204d6-7538-76cc-96fe-5e0ae6f938d5', 'send_verification', '{}', NULL, 'completed', '10', '2026-11-22 19:58:13.298+00', '1', '10', NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:13.298+00', '2026-11-22 19:58:13.338+00'),
('01a204d6-7545-7106-bd82-3feb8fee4e26', 'send_verification', '{}', NULL, 'completed', '10', '2026-11-22 19:58:13.305+00', '1', '10', NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:13.305+00', '2026-11-22 19:58:13.342+00'),
('01a204d6-7556-7375-8e30-a4e91a789592', 'send_mail', '{}', 'mail verification 01a204d6-7538-76cc-96fe-5e0ae6f938d5', 'completed', '10', '2026-11-22 19:58:13.329+00', '1', '20', NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:13.329+00', '2026-11-22 19:58:13.343+00'),
('01a204d6-755c-714b-87b4-ef0941f82eed', 'send_mail', '{}', 'mail verification 01a204d6-7545-7106-bd82-3feb8fee4e26', 'completed', '10', '2026-11-22 19:58:13.338+00', '1', '20', NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:13.338+00', '2026-11-22 19:58:13.345+00'),
('01a204d6-7588-77b2-96b6-6b2f6916dcea', 'send_mail', '{}', 'mail welcome 01a204d6-7569-73a9-8b40-f407bf8d4d67', 'completed', '10', '2026-11-22 19:58:13.35+00', '1', '20', NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:13.35+00', '2026-11-22 19:58:13.466+00'),
('01a204d6-76a3-723c-b61c-fc3e435bd2a1', 'card_batch', '{}', NULL, 'completed', '1', '2026-11-22 19:58:13.657+00', '1', '10', NULL, NULL, '{"done":3,"created":3,"updated":0,"failed":0}', NULL, NULL, '2026-11-22 19:58:13.657+00', '2026-11-22 19:58:14.122+00'),
('01a204d6-7895-742b-91b4-b56682d5bc99', 'catalog_import', '{}', NULL, 'queued', '0', '2026-11-22 19:58:14.125+00', '0', '25', NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:14.125+00', NULL);

delete from card_batches;
insert into card_batches ("job_id", "total") values
('01a204d6-76a3-723c-b61c-fc3e435bd2a1', '3');

delete from card_batch_results;
insert into card_batch_results ("job_id", "first", "results") values
('01a204d6-76a3-723c-b61c-fc3e435bd2a1', '0', '[{"id":"59a771f5-246a-4f7c-850c-73db0857a678","status":"created","restored":false,"error":null},{"id":"df2c04b2-faa8-404d-9866-1f34a8a02c23","status":"created","restored":false,"error":null},{"id":"f2f182c8-2aa3-4471-8fdc-9c6770d4e583","status":"created","restored":false,"error":null}]');

delete from card_blocks;
insert into card_blocks ("level", "block", "live", "published") values
('1', '0', '9', '5'),
('2', '0', '9', '5');

delete from card_images;
insert into card_images ("id", "card_id", "content_type", "width", "height", "bytes", "variants", "audience", "version", "created_at", "updated_at", "deleted_at") values
('01a204d6-6a7b-73aa-9f04-96790145af1d', '8b1e8cc7-6bc9-4037-9054-18aee4a6d719', 'image/png', '3', '4', '69', '[{"name": "thumb", "width": 3, "height": 4}, {"name": "small", "width": 3, "height": 4}, {"name": "large", "width": 3, "height": 4}]', '2', '1', '2026-11-22 19:58:10.419+00', '2026-11-22 19:58:10.419+00', NULL);

delete from changes;
insert into changes ("id", "no", "type", "ids", "audience_before", "audience_after", "changed_at", "noted_at") values
('01a204d6-6406-72af-980c-e3c4a4993993', '1', 'genres', '{01a204d6-63d7-71bd-a7fb-f364d7972549}', '0', '1', '2026-11-22 19:58:08.774+00', '2026-11-22 19:58:08.907735+00'),
('01a204d6-6438-73ad-b15f-7ae6ee2bb541', '2', 'years', '{01a204d6-6420-7668-9fbb-c8f8b620fe4d}', '0', '1', '2026-11-22 19:58:08.925+00', '2026-11-22 19:58:08.953004+00'),
('01a204d6-64b6-7138-8490-b3c9be2cefe7', '3', 'brands', '{01a204d6-6474-741f-b76e-e243a6008a12}', '0', '1', '2026-11-22 19:58:09.008+00', '2026-11-22 19:58:09.080847+00'),
('01a204d6-64df-7706-b32e-5958e4e995e8', '4', 'manufacturers', '{01a204d6-64db-7288-a94e-9e887e53d5e3}', '0', '1', '2026-11-22 19:58:09.089+00', '2026-11-22 19:58:09.120115+00'),
('01a204d6-6593-7137-81e7-64e414dbba68', '5', 'sets', '{01a204d6-64ec-7230-8939-6a53e011dfc2}', '0', '1', '2026-11-22 19:58:09.128+00', '2026-11-22 19:58:09.299929+00'),
('01a204d6-65be-7224-b6a8-80c8afc8cbec', '6', 'sets', '{01a204d6-65af-73db-b947-13cd61c6ff98}', '0', '1', '2026-11-22 19:58:09.326+00', '2026-11-22 19:58:09.343858+00'),
('01a204d6-660e-77c9-a56b-81e399a198d2', '7', 'sets', '{01a204d6-65ed-770b-bbc5-b4b4ae2c6c95}', '0', '1', '2026-11-22 19:58:09.386+00', '2026-11-22 19:58:09.42289+00'),
('01a204d6-661f-71be-9882-47675fc199ad', '8', 'sets', '{01a204d6-6612-72f5-8e84-ed5b69490b77}', '0', '1', '2026-11-22 19:58:09.425+00', '2026-11-22 19:58:09.440317+00'),
('01a204d6-667f-7215-a16e-07b454859b88', '9', 'sets', '{01a204d6-65ed-770b-bbc5-b4b4ae2c6c95}', '1', '1', '2026-11-22 19:58:09.47+00', '2026-11-22 19:58:09.536522+00'),
('01a204d6-66bb-779b-8736-e59a10ae8c4e', '10', 'players', '{01a204d6-66ab-71de-977a-afb907754eb4}', '0', '1', '2026-11-22 19:58:09.57+00', '2026-11-22 19:58:09.59545+00'),
('01a204d6-66e3-77d0-b7ed-05c6cadaeeae', '11', 'players', '{01a204d6-66cd-7116-a98f-14d95805b7ca}', '0', '1', '2026-11-22 19:58:09.605+00', '2026-11-22 19:58:09.637205+00'),
('01a204d6-676c-714e-84fa-42c6216490d4', '12', 'teams', '{01a204d6-674e-736a-8c59-ce31a6e2418c}', '0', '1', '2026-11-22 19:58:09.74+00', '2026-11-22 19:58:09.77282+00'),
('01a204d6-679b-7437-8bbd-fde5ced96a26', '13', 'playerteams', '{01a204d6-6787-7782-ab22-b7c2c443a81e}', '0', '1', '2026-11-22 19:58:09.798+00', '2026-11-22 19:58:09.819246+00'),
('01a204d6-67a7-71d7-8e03-54d33017ffc9', '14', 'attributes', '{01a204d6-67a1-738e-965e-a0276d5e59c0}', '0', '2', '2026-11-22 19:58:09.823+00', '2026-11-22 19:58:09.836018+00'),
('01a204d6-6838-7126-bd19-2dd9adb5ea66', '15', 'attributes', '{01a204d6-67bb-776e-8f97-98ed709e3025}', '0', '2', '2026-11-22 19:58:09.838+00', '2026-11-22 19:58:09.976874+00'),
('01a204d6-6890-74cd-86e4-dd92e654c78d', '16', 'cards', '{5f4702aa-6f84-4622-9341-fe469514effa}', '0', '1', '2026-11-22 19:58:10.037+00', '2026-11-22 19:58:10.064688+00'),
('01a204d6-68a2-734b-b806-ea8145611d88', '17', 'cards', '{48530e84-13ae-44f6-b4b1-8ba538956135}', '0', '1', '2026-11-22 19:58:10.071+00', '2026-11-22 19:58:10.083048+00'),
('01a204d6-68ac-7582-ae87-5a19b1cd3dcc', '18', 'cards', '{a7d508d6-f0f9-46bd-8e78-009715004e70}', '0', '1', '2026-11-22 19:58:10.086+00', '2026-11-22 19:58:10.092156+00'),
('01a204d6-68e9-762e-9ad4-eada99fab130', '19', 'players', '{01a204d6-68e1-724a-9b4b-16fd36a748d7}', '0', '1', '2026-11-22 19:58:10.139+00', '2026-11-22 19:58:10.153915+00'),
('01a204d6-6903-74a6-b0fe-1fa5619c5c16', '20', 'playerteams', '{01a204d6-68f8-7744-91de-e5073370441a}', '0', '1', '2026-11-22 19:58:10.163+00', '2026-11-22 19:58:10.18058+00'),
('01a204d6-6961-74b2-85a7-25d9cb42f982', '21', 'cards', '{04cb5b87-42c2-45bc-ac34-fa5b73e3bc13}', '0', '1', '2026-11-22 19:58:10.191+00', '2026-11-22 19:58:10.273999+00'),
('01a204d6-6973-76d4-8de3-3c734f058a6a', '22', 'cards', '{8b1e8cc7-6bc9-4037-9054-18aee4a6d719}', '0', '1', '2026-11-22 19:58:10.281+00', '2026-11-22 19:58:10.291624+00'),
('01a204d6-6980-7712-bd84-dc2b80855fa8', '23', 'brands', '{01a204d6-697c-7462-b016-d720cae6960c}', '0', '1', '2026-11-22 19:58:10.297+00', '2026-11-22 19:58:10.305049+00'),
('01a204d6-6994-72e0-9ecd-0df743ce5b49', '24', 'teams', '{01a204d6-6992-74ca-9850-3ede5ca29319}', '0', '1', '2026-11-22 19:58:10.321+00', '2026-11-22 19:58:10.324186+00'),
('01a204d6-69a7-7485-ad85-d26368623e53', '25', 'players', '{01a204d6-69a1-7519-864d-24becad3b5ad}', '0', '1', '2026-11-22 19:58:10.335+00', '2026-11-22 19:58:10.343759+00'),
('01a204d6-69c0-712d-a557-f2d18136ecc9', '26', 'sets', '{01a204d6-69bb-750f-af4b-f11a3c533e65}', '0', '1', '2026-11-22 19:58:10.358+00', '2026-11-22 19:58:10.368234+00'),
('01a204d6-6b01-7374-b8c5-f32cdd0519b9', '27', 'cards', '{8b1e8cc7-6bc9-4037-9054-18aee4a6d719}', '1', '1', '2026-11-22 19:58:10.419+00', '2026-11-22 19:58:10.689457+00'),
('01a204d6-6b03-76ba-b3a2-d3032571b9ad', '28', 'card_images', '{01a204d6-6a7b-73aa-9f04-96790145af1d}', '0', '1', '2026-11-22 19:58:10.419+00', '2026-11-22 19:58:10.691532+00'),
('01a204d6-6b25-71ba-8dad-369a81c16b20', '29', 'attributes', '{01a204d6-6b22-743d-a6c0-0c2756a3b60c}', '0', '2', '2026-11-22 19:58:10.697+00', '2026-11-22 19:58:10.726425+00'),
('01a204d6-6b46-76c3-ad27-b9823ec52c65', '30', 'object-attributes', '{01a204d6-6b3a-759f-9332-d9a37688b8a7}', '0', '1', '2026-11-22 19:58:10.733+00', '2026-11-22 19:58:10.758347+00'),
('01a204d6-6b52-70da-b84c-3f9eddf57707', '31', 'attributes', '{01a204d6-6b50-71ea-8d5b-1fac9e041961}', '0', '2', '2026-11-22 19:58:10.767+00', '2026-11-22 19:58:10.770077+00'),
('01a204d6-6b69-74e8-9244-78e45f75272b', '32', 'object-attributes', '{01a204d6-6b58-71a3-85f2-6c034bedf0ff}', '0', '1', '2026-11-22 19:58:10.77+00', '2026-11-22 19:58:10.793106+00'),
('01a204d6-6b94-76a1-9d45-94e7d0cf3d86', '33', 'attributes', '{01a204d6-6b82-7378-bf67-978a761bf9b9}', '0', '2', '2026-11-22 19:58:10.816+00', '2026-11-22 19:58:10.836304+00'),
('01a204d6-6ba9-7379-8ab0-9d1917e309e2', '34', 'object-attributes', '{01a204d6-6b9b-75b6-bcde-0c311830327d}', '0', '1', '2026-11-22 19:58:10.84+00', '2026-11-22 19:58:10.859551+00'),
('01a204d6-6bc0-76bf-9111-9ed627068e79', '35', 'attributes', '{01a204d6-6bb8-7257-923d-10e7bcb8bca8}', '0', '2', '2026-11-22 19:58:10.868+00', '2026-11-22 19:58:10.88098+00'),
('01a204d6-6bdc-75db-80e5-2a87e70931cc', '36', 'object-attributes', '{01a204d6-6bc9-7281-a606-0a217c60d26c}', '0', '1', '2026-11-22 19:58:10.887+00', '2026-11-22 19:58:10.908747+00'),
('01a204d6-6be5-728c-ba99-ff2451498877', '37', 'set_sources', '{01a204d6-6be3-77d1-9801-22978ccc57fb}', '0', '1', '2026-11-22 19:58:10.913+00', '2026-11-22 19:58:10.917956+00'),
('01a204d6-6c1f-73c0-951c-b552322cb5f8', '38', 'attributes', '{01a204d6-6bff-718c-8e74-a3d9ce7d0b5a}', '0', '2', '2026-11-22 19:58:10.921+00', '2026-11-22 19:58:10.975374+00'),
('01a204d6-6c58-725c-b75f-48f15c835ae8', '39', 'object-attributes', '{01a204d6-6c2d-77e0-8d97-bfd8ec30df90}', '0', '1', '2026-11-22 19:58:10.988+00', '2026-11-22 19:58:11.039288+00'),
('01a204d6-6cc7-77fe-bd12-f8503964b7da', '40', 'object-attributes', '{01a204d6-6c2d-77e0-8d97-bfd8ec30df90}', '1', '0', '2026-11-22 19:58:11.057+00', '2026-11-22 19:58:11.148235+00'),
('01a204d6-6cf9-74f3-8e23-46aaeb182100', '41', 'set_sources', '{01a204d6-6ce6-73e3-b3e9-b0cb1fa09695}', '0', '1', '2026-11-22 19:58:11.163+00', '2026-11-22 19:58:11.193958+00'),
('01a204d6-6cfe-7567-9ee0-8718445705fc', '42', 'set_sources', '{01a204d6-6cfd-75bb-9fa6-94e93b689850}', '0', '1', '2026-11-22 19:58:11.195+00', '2026-11-22 19:58:11.198995+00'),
('01a204d6-6d04-74ef-8ce0-e41798a5b68a', '43', 'set_sources', '{01a204d6-6cfd-75bb-9fa6-94e93b689850}', '1', '0', '2026-11-22 19:58:11.201+00', '2026-11-22 19:58:11.204515+00'),
('01a204d6-6d58-7765-bf11-9cd8bf54f91f', '44', 'brands', '{01a204d6-6474-741f-b76e-e243a6008a12}', '1', '2', '2026-11-22 19:58:11.206+00', '2026-11-22 19:58:11.289152+00'),
('01a204d6-6d58-7766-bf02-b5d09c52b920', '45', 'genres', '{01a204d6-63d7-71bd-a7fb-f364d7972549}', '1', '2', '2026-11-22 19:58:11.206+00', '2026-11-22 19:58:11.289176+00'),
('01a204d6-6d58-7767-90d5-49322ff4eabe', '46', 'manufacturers', '{01a204d6-64db-7288-a94e-9e887e53d5e3}', '1', '2', '2026-11-22 19:58:11.206+00', '2026-11-22 19:58:11.28918+00'),
('01a204d6-6d58-7768-ba52-4f0971359776', '47', 'years', '{01a204d6-6420-7668-9fbb-c8f8b620fe4d}', '1', '2', '2026-11-22 19:58:11.206+00', '2026-11-22 19:58:11.289183+00'),
('01a204d6-6d58-7769-a568-f6be416c339c', '48', 'players', '{01a204d6-66ab-71de-977a-afb907754eb4,01a204d6-66cd-7116-a98f-14d95805b7ca,01a204d6-68e1-724a-9b4b-16fd36a748d7}', '1', '2', '2026-11-22 19:58:11.206+00', '2026-11-22 19:58:11.289187+00'),
('01a204d6-6d58-776a-90c0-a338fe392ee8', '49', 'object-attributes', '{01a204d6-6b9b-75b6-bcde-0c311830327d,01a204d6-6bc9-7281-a606-0a217c60d26c,01a204d6-6b58-71a3-85f2-6c034bedf0ff,01a204d6-6b3a-759f-9332-d9a37688b8a7}', '1', '2', '2026-11-22 19:58:11.206+00', '2026-11-22 19:58:11.289191+00'),
('01a204d6-6d58-776b-b201-692b4a9affb2', '50', 'teams', '{01a204d6-674e-736a-8c59-ce31a6e2418c}', '1', '2', '2026-11-22 19:58:11.206+00', '2026-11-22 19:58:11.289193+00'),
('01a204d6-6d58-776c-b370-44165870cc05', '51', 'playerteams', '{01a204d6-6787-7782-ab22-b7c2c443a81e,01a204d6-68f8-7744-91de-e5073370441a}', '1', '2', '2026-11-22 19:58:11.206+00', '2026-11-22 19:58:11.289196+00'),
('01a204d6-6d58-776d-99f9-dbab476ed4e7', '52', 'sets', '{01a204d6-64ec-7230-8939-6a53e011dfc2}', '1', '2', '2026-11-22 19:58:11.206+00', '2026-11-22 19:58:11.289198+00'),
('01a204d6-6d58-776e-bbe9-eac3d11806c2', '53', 'card_images', '{01a204d6-6a7b-73aa-9f04-96790145af1d}', '1', '2', '2026-11-22 19:58:11.206+00', '2026-11-22 19:58:11.2892+00'),
('01a204d6-6d58-776f-abd6-e857071dc020', '54', 'set_sources', '{01a204d6-6ce6-73e3-b3e9-b0cb1fa09695}', '1', '2', '2026-11-22 19:58:11.206+00', '2026-11-22 19:58:11.289202+00'),
('01a204d6-6d58-7770-8f68-a69d78b58089', '55', 'cards', '{5f4702aa-6f84-4622-9341-fe469514effa,a7d508d6-f0f9-46bd-8e78-009715004e70,04cb5b87-42c2-45bc-ac34-fa5b73e3bc13,8b1e8cc7-6bc9-4037-9054-18aee4a6d719}', '1', '2', '2026-11-22 19:58:11.206+00', '2026-11-22 19:58:11.289205+00'),
('01a204d6-6d70-71d1-86f1-0e6c872a0af9', '56', 'players', '{01a204d6-6d6d-76b5-817e-7a85cff86ab5}', '0', '1', '2026-11-22 19:58:11.308+00', '2026-11-22 19:58:11.312497+00'),
('01a204d6-6d82-7005-88d5-83d277500296', '57', 'teams', '{01a204d6-6d81-70c1-a286-b0cce79bce8a}', '0', '1', '2026-11-22 19:58:11.327+00', '2026-11-22 19:58:11.330286+00'),
('01a204d6-6d9b-7392-9c73-1f00dc6ce042', '58', 'attributes', '{01a204d6-6d97-774e-9524-3ead3f90a0b3}', '0', '2', '2026-11-22 19:58:11.336+00', '2026-11-22 19:58:11.355531+00'),
('01a204d6-6daa-7458-8b7b-6c1589297064', '59', 'playerteams', '{01a204d6-6da1-757b-b5f8-93edbdf482d1}', '0', '1', '2026-11-22 19:58:11.357+00', '2026-11-22 19:58:11.370493+00'),
('01a204d6-6dbd-7705-9b38-196424bafa61', '60', 'cards', '{7d20a3b1-0830-48d1-a9ed-a140404acb34}', '0', '2', '2026-11-22 19:58:11.371+00', '2026-11-22 19:58:11.389865+00'),
('01a204d6-6dbd-7706-9c56-99dc6472142b', '61', 'players', '{01a204d6-6d6d-76b5-817e-7a85cff86ab5}', '1', '2', '2026-11-22 19:58:11.371+00', '2026-11-22 19:58:11.389886+00'),
('01a204d6-6dbd-7707-a000-9052ab0653ac', '62', 'teams', '{01a204d6-6d81-70c1-a286-b0cce79bce8a}', '1', '2', '2026-11-22 19:58:11.371+00', '2026-11-22 19:58:11.38989+00'),
('01a204d6-6dbd-7708-9f76-4895ea78e635', '63', 'playerteams', '{01a204d6-6da1-757b-b5f8-93edbdf482d1}', '1', '2', '2026-11-22 19:58:11.371+00', '2026-11-22 19:58:11.389893+00'),
('01a204d6-6dd9-71d3-adde-4a43e9d1645b', '64', 'cards', '{7d20a3b1-0830-48d1-a9ed-a140404acb34}', '2', '0', '2026-11-22 19:58:11.391+00', '2026-11-22 19:58:11.41713+00'),
('01a204d6-6dd9-71d4-b9a1-48a58eeafd41', '65', 'players', '{01a204d6-6d6d-76b5-817e-7a85cff86ab5}', '2', '1', '2026-11-22 19:58:11.391+00', '2026-11-22 19:58:11.41715+00'),
('01a204d6-6dd9-71d5-91e2-1a4da9cd7b22', '66', 'teams', '{01a204d6-6d81-70c1-a286-b0cce79bce8a}', '2', '1', '2026-11-22 19:58:11.391+00', '2026-11-22 19:58:11.417154+00'),
('01a204d6-6dd9-71d6-b2ca-667132b7fb7a', '67', 'playerteams', '{01a204d6-6da1-757b-b5f8-93edbdf482d1}', '2', '1', '2026-11-22 19:58:11.391+00', '2026-11-22 19:58:11.417156+00'),
('01a204d6-6de0-75ad-9572-5bef8d20530f', '68', 'genres', '{01a204d6-6dde-74c5-b5f2-e84b52228e1d}', '0', '1', '2026-11-22 19:58:11.419+00', '2026-11-22 19:58:11.424639+00'),
('01a204d6-6df7-7135-a96f-45afdd393d1b', '69', 'years', '{01a204d6-6df6-72da-9110-094b600cc776}', '0', '1', '2026-11-22 19:58:11.428+00', '2026-11-22 19:58:11.447478+00'),
('01a204d6-6e24-75cf-a204-14b3a58ec733', '70', 'brands', '{01a204d6-6e1f-710d-afad-0e038549991f}', '0', '1', '2026-11-22 19:58:11.453+00', '2026-11-22 19:58:11.49517+00'),
('01a204d6-6e35-7061-86c8-1874a2897d22', '71', 'sets', '{01a204d6-6e2e-754e-8c5b-a328be1dcfde}', '0', '1', '2026-11-22 19:58:11.501+00', '2026-11-22 19:58:11.509643+00'),
('01a204d6-6e89-730b-9a2c-6d9d3c88708d', '72', 'set_sources', '{01a204d6-6e87-7059-8cba-ff6f109849b7}', '0', '1', '2026-11-22 19:58:11.53+00', '2026-11-22 19:58:11.593215+00'),
('01a204d6-6e94-712c-94b9-a47dfbd81774', '73', 'cards', '{e1c89444-dcf8-46b2-b075-87a8b238610a}', '0', '1', '2026-11-22 19:58:11.599+00', '2026-11-22 19:58:11.606453+00'),
('01a204d6-6ea2-7235-8ea5-facd5c5eeacd', '74', 'object-attributes', '{01a204d6-6ea1-73ef-8401-c288b340665f}', '0', '1', '2026-11-22 19:58:11.616+00', '2026-11-22 19:58:11.6181+00'),
('01a204d6-6eba-72ea-89dd-9a04b6477864', '75', 'sets', '{01a204d6-6e2e-754e-8c5b-a328be1dcfde}', '1', '0', '2026-11-22 19:58:11.626+00', '2026-11-22 19:58:11.642998+00'),
('01a204d6-6eba-72eb-8f80-a957963afad1', '76', 'object-attributes', '{01a204d6-6ea1-73ef-8401-c288b340665f}', '1', '0', '2026-11-22 19:58:11.626+00', '2026-11-22 19:58:11.643018+00'),
('01a204d6-6eba-72ec-940b-e4f0d423a433', '77', 'set_sources', '{01a204d6-6e87-7059-8cba-ff6f109849b7}', '1', '0', '2026-11-22 19:58:11.626+00', '2026-11-22 19:58:11.643021+00'),
('01a204d6-6eba-72ed-bd46-5076f341de4b', '78', 'cards', '{e1c89444-dcf8-46b2-b075-87a8b238610a}', '1', '0', '2026-11-22 19:58:11.626+00', '2026-11-22 19:58:11.643024+00'),
('01a204d6-6ed6-71d3-a547-8ba08517cb16', '79', 'playerteams', '{01a204d6-6da1-757b-b5f8-93edbdf482d1}', '1', '0', '2026-11-22 19:58:11.658+00', '2026-11-22 19:58:11.670988+00'),
('01a204d6-6efa-7136-9659-9e1fd078c2cc', '80', 'players', '{01a204d6-6d6d-76b5-817e-7a85cff86ab5}', '1', '0', '2026-11-22 19:58:11.673+00', '2026-11-22 19:58:11.706621+00'),
('01a204d6-6f07-71cb-a2dc-e5b5c223f480', '81', 'teams', '{01a204d6-6d81-70c1-a286-b0cce79bce8a}', '1', '0', '2026-11-22 19:58:11.709+00', '2026-11-22 19:58:11.719862+00'),
('01a204d6-6f16-713e-ba84-076f547663a3', '82', 'attributes', '{01a204d6-6d97-774e-9524-3ead3f90a0b3}', '2', '0', '2026-11-22 19:58:11.723+00', '2026-11-22 19:58:11.734604+00'),
('01a204d6-6f1d-70ef-99a6-a5ea72c08e72', '83', 'genres', '{01a204d6-6dde-74c5-b5f2-e84b52228e1d}', '1', '0', '2026-11-22 19:58:11.736+00', '2026-11-22 19:58:11.742329+00'),
('01a204d6-6f4a-762a-98b4-72deb65b7551', '84', 'years', '{01a204d6-6df6-72da-9110-094b600cc776}', '1', '0', '2026-11-22 19:58:11.744+00', '2026-11-22 19:58:11.786124+00'),
('01a204d6-6f4f-77b7-8ca9-d4f24cc1fb9b', '85', 'brands', '{01a204d6-6e1f-710d-afad-0e038549991f}', '1', '0', '2026-11-22 19:58:11.789+00', '2026-11-22 19:58:11.791201+00'),
('01a204d6-6f55-748b-9f6f-ffa58a5070c5', '86', 'genres', '{01a204d6-6f54-719c-bbb1-1092d98de624}', '0', '1', '2026-11-22 19:58:11.794+00', '2026-11-22 19:58:11.797747+00'),
('01a204d6-6f5d-70ba-b44b-e4156c2c9dcb', '87', 'attributes', '{01a204d6-6f59-7659-9756-b57a60f91f28}', '0', '2', '2026-11-22 19:58:11.8+00', '2026-11-22 19:58:11.805253+00'),
('01a204d6-6f64-7103-ae65-66f686bdd7c3', '88', 'players', '{01a204d6-6f62-715b-8625-22c6419e8c22}', '0', '1', '2026-11-22 19:58:11.807+00', '2026-11-22 19:58:11.812735+00'),
('01a204d6-6f6e-70f0-a322-fe3bef0d4ef4', '89', 'playerteams', '{01a204d6-6f66-73e4-bce7-919e8f1df268}', '0', '1', '2026-11-22 19:58:11.814+00', '2026-11-22 19:58:11.822845+00'),
('01a204d6-6f75-75ac-9138-f2ac6880198d', '90', 'players', '{01a204d6-6f62-715b-8625-22c6419e8c22}', '1', '0', '2026-11-22 19:58:11.825+00', '2026-11-22 19:58:11.829227+00'),
('01a204d6-6f75-75ad-bb12-f484fdcc9230', '91', 'playerteams', '{01a204d6-6f66-73e4-bce7-919e8f1df268}', '1', '1', '2026-11-22 19:58:11.825+00', '2026-11-22 19:58:11.829243+00'),
('01a204d6-6fc9-75a1-8bad-eae02a725218', '92', 'attributes', '{01a204d6-6fc6-77e0-9510-cbd3432a967d}', '0', '2', '2026-11-22 19:58:11.901+00', '2026-11-22 19:58:11.914292+00'),
('01a204d6-7000-70c5-85cc-bba3483135d6', '93', 'genres', '{01a204d6-6ffc-7381-b840-8b16aa32c192}', '0', '1', '2026-11-22 19:58:11.901+00', '2026-11-22 19:58:11.979625+00'),
('01a204d6-7011-75e4-8c1c-c7aec28bfd67', '94', 'years', '{01a204d6-700f-71de-81dd-51a764eaf39d}', '0', '1', '2026-11-22 19:58:11.901+00', '2026-11-22 19:58:11.985863+00'),
('01a204d6-703a-7596-aebe-d338d80c9f2e', '95', 'manufacturers', '{01a204d6-7039-724b-a73c-2e5761336671}', '0', '1', '2026-11-22 19:58:11.901+00', '2026-11-22 19:58:12.026151+00'),
('01a204d6-705f-7105-b113-f59c2fa96ee0', '96', 'brands', '{01a204d6-7059-7207-bba7-4726378d7888}', '0', '1', '2026-11-22 19:58:11.901+00', '2026-11-22 19:58:12.069976+00'),
('01a204d6-70ad-70b5-a73d-d07ce9959e1e', '97', 'brands', '{01a204d6-7059-7207-bba7-4726378d7888}', '1', '2', '2026-11-22 19:58:11.901+00', '2026-11-22 19:58:12.141431+00'),
('01a204d6-70ad-70b6-8f6b-8f6c59b879d7', '98', 'genres', '{01a204d6-6ffc-7381-b840-8b16aa32c192}', '1', '2', '2026-11-22 19:58:11.901+00', '2026-11-22 19:58:12.141535+00'),
('01a204d6-70ad-70b7-a2ac-59c65c1ed36a', '99', 'manufacturers', '{01a204d6-7039-724b-a73c-2e5761336671}', '1', '2', '2026-11-22 19:58:11.901+00', '2026-11-22 19:58:12.141539+00'),
('01a204d6-70ad-70b8-b19b-f67c0c01ac29', '100', 'years', '{01a204d6-700f-71de-81dd-51a764eaf39d}', '1', '2', '2026-11-22 19:58:11.901+00', '2026-11-22 19:58:12.141541+00'),
('01a204d6-70ad-70b9-ba47-6291d1ebd27b', '101', 'sets', '{01a204d6-709a-7051-ae17-0055f5d43b35}', '0', '2', '2026-11-22 19:58:11.901+00', '2026-11-22 19:58:12.141544+00'),
('01a204d6-70d6-713e-865b-7c04bfd54831', '102', 'players', '{01a204d6-70d1-7048-846d-8edb5ea4eab1}', '0', '1', '2026-11-22 19:58:11.901+00', '2026-11-22 19:58:12.183459+00'),
('01a204d6-70f9-72bd-b2f3-f14a4a530647', '103', 'teams', '{01a204d6-70f5-76c0-b374-ea33369ba682}', '0', '1', '2026-11-22 19:58:11.901+00', '2026-11-22 19:58:12.219888+00'),
('01a204d6-711e-7772-8d4c-7d84cd604825', '104', 'playerteams', '{01a204d6-7112-764a-9a84-ae5ee6bdd488}', '0', '1', '2026-11-22 19:58:11.901+00', '2026-11-22 19:58:12.254429+00'),
('01a204d6-7132-76b2-b6c9-d631e2caa5b9', '105', 'cards', '{7edcc41c-bb3c-83e4-8640-249e8cb1a9b6}', '0', '2', '2026-11-22 19:58:11.901+00', '2026-11-22 19:58:12.274929+00'),
('01a204d6-7132-76b3-af90-76c0946799a3', '106', 'players', '{01a204d6-70d1-7048-846d-8edb5ea4eab1}', '1', '2', '2026-11-22 19:58:11.901+00', '2026-11-22 19:58:12.27495+00'),
('01a204d6-7132-76b4-be20-ab8fbf417c51', '107', 'teams', '{01a204d6-70f5-76c0-b374-ea33369ba682}', '1', '2', '2026-11-22 19:58:11.901+00', '2026-11-22 19:58:12.274954+00'),
('01a204d6-7132-76b5-a352-fdc46429c8ae', '108', 'playerteams', '{01a204d6-7112-764a-9a84-ae5ee6bdd488}', '1', '2', '2026-11-22 19:58:11.901+00', '2026-11-22 19:58:12.274956+00'),
('01a204d6-7652-738d-bb47-25a3ad12c4a9', '109', 'sets', '{01a204d6-764c-7780-914d-3296a4a746b7}', '0', '1', '2026-11-22 19:58:13.523+00', '2026-11-22 19:58:13.58714+00'),
('01a204d6-7857-744c-b061-656916e10c3a', NULL, 'cards', '{59a771f5-246a-4f7c-850c-73db0857a678,df2c04b2-faa8-404d-9866-1f34a8a02c23,f2f182c8-2aa3-4471-8fdc-9c6770d4e583}', '0', '1', '2026-11-22 19:58:14.09+00', '2026-11-22 19:58:14.104038+00');

delete from counters;
insert into counters ("name", "value") values
('sets.no', '8');

delete from credentials;
insert into credentials ("id", "kind", "user_id", "name", "secret_hash", "last_four", "scopes", "internal_approved", "internal_pool", "plan_limit", "plan_window_seconds", "agreed_limit", "agreed_window_seconds", "next_limit", "next_window_seconds", "next_from", "expires_at", "revoked_at", "created_at", "generation") values
('01a204d6-6271-756d-93d1-2f2fe8dc6fda', 'personal_token', '01a204d6-61f6-7498-a089-9d7507953183', NULL, E'\\x5c44259a64db929fe949eb825d11c670e11b25456f395d7b0ec753cc96192b60', '1qZD', '{read:published}', 'false', 'false', NULL, NULL, '1000000', '3600', NULL, NULL, NULL, NULL, '2026-11-22 19:58:08.523+00', '2026-11-22 19:58:08.497+00', '1'),
('01a204d6-628f-7643-9883-efc75b7d7281', 'personal_token', '01a204d6-61f6-7498-a089-9d7507953183', NULL, E'\\xb01676bc8c89683d97f259c516b6d5a53314dd87d3a5251f09e183ed59e6ebfa', '3FLr', '{read:published}', 'false', 'false', NULL, NULL, '1000000', '3600', NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:08.527+00', '0'),
('01a204d6-62a1-70c8-9d6f-04ee8e069317', 'personal_token', '01a204d6-61f6-7498-a089-9d7507953183', NULL, E'\\x173bccbbe10a821052142f852514ed747274c3d1db420f4f9f1723da5a2ab203', 'KWfh', '{read:draft}', 'false', 'false', NULL, NULL, '1000000', '3600', NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:08.545+00', '0'),
('01a204d6-62a9-7324-9652-ca4a26708423', 'personal_token', '01a204d6-61f6-7498-a089-9d7507953183', NULL, E'\\x519489564e538c0b38ab35fe1a22d7b4896d2361f5d7024df8324a1844975508', 'euQi', '{read:all-status}', 'false', 'false', NULL, NULL, '1000000', '3600', NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:08.553+00', '0'),
('01a204d6-62b2-724d-9bd2-5672e42f51cd', 'personal_token', '01a204d6-61f6-7498-a089-9d7507953183', NULL, E'\\xe029553398801e0212adfe194b35af869b3b4bc3870623c001e5dd8d73eae7c6', 'Q0AX', '{read:all-status,write}', 'false', 'false', NULL, NULL, '1000000', '3600', NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:08.562+00', '0'),
('01a204d6-62bd-723d-95d5-79a90ecd93da', 'personal_token', '01a204d6-61f6-7498-a089-9d7507953183', NULL, E'\\xd48088543c621bb0dbc463d02f83ed49bf51ed68a74159741d478e1e20152361', 'DE1S', '{read:all-status,delete}', 'false', 'false', NULL, NULL, '1000000', '3600', NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:08.573+00', '0'),
('01a204d6-62c3-7327-b720-d77d124db81b', 'personal_token', '01a204d6-61f6-7498-a089-9d7507953183', NULL, E'\\x5e42a92f442e21629a3d9590dd318398597593f2a96101c03d196a3752494f0f', 'tYOL', '{read:published,write,delete}', 'false', 'false', NULL, NULL, '1000000', '3600', NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:08.579+00', '0'),
('01a204d6-62c8-7069-902b-a2abc7eafa92', 'personal_token', '01a204d6-61f6-7498-a089-9d7507953183', NULL, E'\\x0d1ee83fb7e4c8cbfd898f8e37cb1bb594c04567ae0436716239481e9d484e51', '9NkL', '{write}', 'false', 'false', NULL, NULL, '1000000', '3600', NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:08.584+00', '0'),
('01a204d6-62d3-7289-9650-d2064d05793f', 'personal_token', '01a204d6-61f6-7498-a089-9d7507953183', NULL, E'\\x19ff5c78681aaec3225ef9a7f4e03958645ead3e638fec9618823aeac97a8b8f', '9zpX', '{delete}', 'false', 'false', NULL, NULL, '1000000', '3600', NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:08.595+00', '0'),
('01a204d6-6334-7515-bbe2-9a539304485e', 'subscriber_key', '01a204d6-61f6-7498-a089-9d7507953183', NULL, E'\\xfda3be1ddf9bfc6baf9b82297466f6132f22acf0dbf2aa8ffc6939b9627b0393', 'mr0E', '{read:published}', 'false', 'false', '10000', '86400', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:08.678+00', '0'),
('01a204d6-6343-7446-9510-5343f7aefa86', 'subscriber_key', '01a204d6-6262-70f6-b01d-1b112e4e738a', NULL, E'\\x013f06a8625785ddb73444ab2be19706fdf773e72b9475bc686a8004b9fdfb10', 'kc0U', '{read:published}', 'false', 'false', '10000', '86400', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:08.703+00', '0'),
('01a204d6-6349-72dd-ba17-ae4fd6b1a54c', 'personal_token', '01a204d6-6262-70f6-b01d-1b112e4e738a', NULL, E'\\x31aa04b28dc5d9ea24483780e40eeac3f1a0530f089bed08e7727830411d777d', 'pWaW', '{read:all-status,write,delete}', 'false', 'false', NULL, NULL, '1000000', '3600', NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:08.713+00', '0'),
('01a204d6-634c-770d-bf6f-cc472e0dc482', 'session', '01a204d6-61f6-7498-a089-9d7507953183', NULL, E'\\x7ce05fe2bcebf7d8fd2b76f35d8c744f1094cb09d61bea0cc39afb9f3ada75c6', 'uKM2', '{}', 'false', 'false', NULL, NULL, '1000000', '3600', NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:08.716+00', '0'),
('01a204d6-634e-7010-9bfe-5167c90a072a', 'session', '01a204d6-625b-7114-ada7-8a1259e7bedc', NULL, E'\\x31c4adc6a3919fc2549cb444d188b370b698df1c3358284b11358eb8362f75d5', '2OQ3', '{}', 'false', 'false', NULL, NULL, '1000000', '3600', NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:08.718+00', '0'),
('01a204d6-635d-73ff-9d96-5f2b0c67e208', 'oauth_client', '01a204d6-625b-7114-ada7-8a1259e7bedc', NULL, E'\\xb8ff1fea5aecd1c5edf91c1be35ff36a93ad0f6821ddb0c438c1f02a0a6b5032', '2C9g', '{read:draft,write,delete}', 'false', 'false', NULL, NULL, '1000000', '3600', NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:08.733+00', '0'),
('01a204d6-636e-71fa-aa57-2d4558bcb95d', 'oauth_client', '01a204d6-625b-7114-ada7-8a1259e7bedc', NULL, E'\\x796bd64ae51d4cf53441081c68936aa5f8a454290dd4106ecd4581cbd1757115', 'kNQA', '{read:published,read:draft,read:all-status,write,delete,internal}', 'true', 'false', NULL, NULL, '1000000', '3600', NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:08.75+00', '0'),
('01a204d6-7212-7239-bb12-f515f1bf115c', 'subscriber_key', '01a204d6-71c6-7660-b047-9af6dfad139c', NULL, E'\\xcc8d34fed35476069f0996ec0bd05006b3120870e8ccc8792db8263b14eb0ebc', '01Nf', '{read:published}', 'false', 'false', '10000', '86400', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:12.386+00', '0'),
('01a204d6-723f-75bd-8e86-de08439d740b', 'session', '01a204d6-71c6-7660-b047-9af6dfad139c', NULL, E'\\x2cdc17b02decd86119e08fdb70bf86472aeb5947904e2c9cc706d48f1667458e', 'uiHn', '{}', 'false', 'false', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-12-22 19:58:12.533+00', NULL, '2026-11-22 19:58:12.533+00', '0'),
('01a204d6-7264-76ae-9620-49bf2b1e6b49', 'oauth_client', '01a204d6-71c6-7660-b047-9af6dfad139c', 'prices', E'\\x57baf5295979c6394037872f88b739556f0d8bf9fc067ce7ea46a4723fe22ce7', 'gheN', '{read:published}', 'false', 'false', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:12.56+00', '0'),
('01a204d6-7289-7046-85a7-4b11a86605b0', 'personal_token', '01a204d6-71c6-7660-b047-9af6dfad139c', 'prices', E'\\x6a085faa61e426ad6100c622c75ad54953262e186af0f0a0e791a6609fe576d9', 'JjIJ', '{read:published}', 'false', 'false', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:12.592+00', '0'),
('01a204d6-73d1-7648-9657-dc28af40b3ce', 'subscriber_key', '01a204d6-73ca-7513-9234-cb3291781e5f', NULL, E'\\x9f70df17a4a16d4d64b9bef5c938f12169110ced66bce05016c67cc94e9ddebe', 'hvpk', '{read:published}', 'false', 'false', '10000', '86400', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:12.934+00', '0'),
('01a204d6-73e1-755e-bd5a-d5cb66c34844', 'session', '01a204d6-73ca-7513-9234-cb3291781e5f', NULL, E'\\x5387a52481e846e0e8ecff6dbb81d6e108bc1fbd25a61215da266db5a0ea11af', 'o4kX', '{}', 'false', 'false', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-12-22 19:58:12.952+00', NULL, '2026-11-22 19:58:12.952+00', '0'),
('01a204d6-74b9-7730-93cf-fb97dcb3b183', 'session', '01a204d6-74b7-73ab-bfd4-f46a0535fd0b', NULL, E'\\xd3589f684475a13ba1b99c88264f7358352a3f84aca464837c1ba8a9ab97b4b1', 'UETw', '{}', 'false', 'false', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:13.177+00', '0'),
('01a204d6-74c0-7785-946e-2d261162de19', 'subscriber_key', '01a204d6-74b7-73ab-bfd4-f46a0535fd0b', NULL, E'\\xbcc8083666feaf857788d54c8f3791cd40b35b2042627ed27aa48a22de51d9c6', 'Wuxs', '{read:published}', 'false', 'false', '10000', '86400', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:13.179+00', '0'),
('01a204d6-7571-7484-9743-14e8465f6cbe', 'subscriber_key', '01a204d6-7569-73a9-8b40-f407bf8d4d67', NULL, E'\\xb49c5027087b5f8db0d63077252ecd2226e6d832778b2370e2ae89683e1a9f62', 'SJLR', '{read:published}', 'false', 'false', '10000', '86400', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-22 19:58:13.35+00', '0');

delete from email_changes;
insert into email_changes ("user_id", "email", "token_hash", "expires_at") values
('01a204d6-73ca-7513-9234-cb3291781e5f', 'person-4@example.org', E'\\x1787011e7425bbd552a8669c555c65d69d5e005ac3d2fe43d79c565b1564bade', '2026-11-23 19:58:13.169+00');

delete from email_undos;
insert into email_undos ("token_hash", "user_id", "email", "changed_at", "expires_at") values
(E'\\xb3d663ab2d180a92f75f572c5c19b8201307a73564f6e5c8e651c2cf326f9209', '01a204d6-73ca-7513-9234-cb3291781e5f', 'person-2@example.org', '2026-11-22 19:58:13.088+00', '2026-11-25 19:58:13.088+00');

delete from feed;
insert into feed ("one", "last") values
('true', '109');

delete from imports;
insert into imports ("id", "job_id", "name", "publish", "parallels", "bytes", "created_at", "agent") values
('01a204d6-6f76-7326-a095-2d51601ffad0', '01a204d6-6f7a-7717-8aa0-09374338debb', 'checklist', 'true', 'false', '171', '2026-11-22 19:58:11.829+00', 'user:01a204d6-625b-7114-ada7-8a1259e7bedc'),
('01a204d6-7886-74e6-998b-ba799431f68d', '01a204d6-7895-742b-91b4-b56682d5bc99', 'checklist', 'false', 'false', '41', '2026-11-22 19:58:14.125+00', 'user:01a204d6-625b-7114-ada7-8a1259e7bedc');

delete from import_faults;
insert into import_faults ("import_id", "no", "file", "line", "reason") values
('01a204d6-6f76-7326-a095-2d51601ffad0', '0', 'checklist', '3', 'the row names no set');

delete from import_pieces;
insert into import_pieces ("import_id", "no", "bytes") values
('01a204d6-7886-74e6-998b-ba799431f68d', '0', E'\\x28b52ffd20294901007365742c6e756d6265722c706c617965720a4c65667420746f20726561642c312c416e6e204c65650a');

delete from invites;
insert into invites ("id", "code_hash", "label", "email", "max_uses", "expires_at", "revoked_at", "created_at", "updated_at") values
('01a204d6-7148-746f-afea-74a24dfeb712', E'\\x1889e25a4293e4502fc2f8a520b518f0fd4a313298e2343eaf426433650c2d54', NULL, NULL, '5', '2026-12-06 19:58:12.289+00', NULL, '2026-11-22 19:58:12.289+00', '2026-11-22 19:58:12.289+00');

delete from invite_uses;
insert into invite_uses ("id", "invite_id", "held_until", "claimed_at") values
('01a204d6-7183-7552-a034-6b8cf948704d', '01a204d6-7148-746f-afea-74a24dfeb712', '2026-11-23 19:58:12.301+00', '2026-11-22 19:58:12.386+00'),
('01a204d6-7537-7323-9a14-05ace0c00dde', '01a204d6-7148-746f-afea-74a24dfeb712', '2026-11-23 19:58:13.298+00', NULL);

delete from loose_images;

delete from migrations;
insert into migrations ("name", "steps", "finished_at") values
('0001_baseline', '243', '2026-11-22 19:58:14.322+00');

delete from mirror;

delete from mirror_waiting;

delete from object_attributes;
insert into object_attributes ("id", "attribute_id", "attribute_value", "object_type", "object_id", "audience", "version", "created_at", "updated_at", "deleted_at") values
('01a204d6-6b3a-759f-9332-d9a37688b8a7', '01a204d6-6b22-743d-a6c0-0c2756a3b60c', 'PSA 10', 'card', '5f4702aa-6f84-4622-9341-fe469514effa', '2', '1', '2026-11-22 19:58:10.733+00', '2026-11-22 19:58:10.733+00', NULL),
('01a204d6-6b58-71a3-85f2-6c034bedf0ff', '01a204d6-6b50-71ea-8d5b-1fac9e041961', 'PSA 10', 'set', '01a204d6-64ec-7230-8939-6a53e011dfc2', '2', '1', '2026-11-22 19:58:10.77+00', '2026-11-22 19:58:10.77+00', NULL),
('01a204d6-6b9b-75b6-bcde-0c311830327d', '01a204d6-6b82-7378-bf67-978a761bf9b9', 'PSA 10', 'player', '01a204d6-66cd-7116-a98f-14d95805b7ca', '2', '1', '2026-11-22 19:58:10.84+00', '2026-11-22 19:58:10.84+00', NULL),
('01a204d6-6bc9-7281-a606-0a217c60d26c', '01a204d6-6bb8-7257-923d-10e7bcb8bca8', 'PSA 10', 'team', '01a204d6-674e-736a-8c59-ce31a6e2418c', '2', '1', '2026-11-22 19:58:10.887+00', '2026-11-22 19:58:10.887+00', NULL),
('01a204d6-6c2d-77e0-8d97-bfd8ec30df90', '01a204d6-6bff-718c-8e74-a3d9ce7d0b5a', 'PSA 10', 'card', '5f4702aa-6f84-4622-9341-fe469514effa', '0', '2', '2026-11-22 19:58:10.988+00', '2026-11-22 19:58:11.057+00', '2026-11-22 19:58:11.057+00'),
('01a204d6-6ea1-73ef-8401-c288b340665f', '01a204d6-67a1-738e-965e-a0276d5e59c0', 'PSA 10', 'card', 'e1c89444-dcf8-46b2-b075-87a8b238610a', '0', '1', '2026-11-22 19:58:11.616+00', '2026-11-22 19:58:11.616+00', NULL);

delete from players;
insert into players ("id", "audience", "version", "created_at", "updated_at", "deleted_at", "name", "first_name", "last_name", "position") values
('01a204d6-66ab-71de-977a-afb907754eb4', '2', '1', '2026-11-22 19:58:09.57+00', '2026-11-22 19:58:09.57+00', NULL, 'Pelé', 'Pelé', '', NULL),
('01a204d6-66cd-7116-a98f-14d95805b7ca', '2', '1', '2026-11-22 19:58:09.605+00', '2026-11-22 19:58:09.605+00', NULL, 'Pat Player 100010', 'Pat', 'Player 100010', 'SG'),
('01a204d6-68e1-724a-9b4b-16fd36a748d7', '2', '1', '2026-11-22 19:58:10.139+00', '2026-11-22 19:58:10.139+00', NULL, 'of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the  house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house ', 'of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the ', 'house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house ', NULL),
('01a204d6-69a1-7519-864d-24becad3b5ad', '1', '1', '2026-11-22 19:58:10.335+00', '2026-11-22 19:58:10.335+00', NULL, 'Pat Player 100019', 'Pat', 'Player 100019', ''),
('01a204d6-6d6d-76b5-817e-7a85cff86ab5', '0', '2', '2026-11-22 19:58:11.308+00', '2026-11-22 19:58:11.673+00', '2026-11-22 19:58:11.673+00', 'Pat Player 100031', 'Pat', 'Player 100031', NULL),
('01a204d6-6f62-715b-8625-22c6419e8c22', '0', '2', '2026-11-22 19:58:11.807+00', '2026-11-22 19:58:11.825+00', '2026-11-22 19:58:11.825+00', 'Pat Player 100042', 'Pat', 'Player 100042', NULL),
('01a204d6-70d1-7048-846d-8edb5ea4eab1', '2', '1', '2026-11-22 19:58:11.901+00', '2026-11-22 19:58:11.901+00', NULL, 'Ken Griffey Jr.', 'Ken', 'Griffey Jr.', NULL);

delete from teams;
insert into teams ("id", "audience", "version", "created_at", "updated_at", "deleted_at", "name", "location", "abbreviation") values
('01a204d6-674e-736a-8c59-ce31a6e2418c', '2', '1', '2026-11-22 19:58:09.74+00', '2026-11-22 19:58:09.74+00', NULL, 'Team 100011', 'Chicago', 'CHI'),
('01a204d6-6992-74ca-9850-3ede5ca29319', '1', '1', '2026-11-22 19:58:10.321+00', '2026-11-22 19:58:10.321+00', NULL, 'Team 100018', '', ''),
('01a204d6-6d81-70c1-a286-b0cce79bce8a', '0', '2', '2026-11-22 19:58:11.327+00', '2026-11-22 19:58:11.709+00', '2026-11-22 19:58:11.709+00', 'Team 100032', NULL, NULL),
('01a204d6-70f5-76c0-b374-ea33369ba682', '2', '1', '2026-11-22 19:58:11.901+00', '2026-11-22 19:58:11.901+00', NULL, 'Seattle Mariners', NULL, NULL);

delete from player_teams;
insert into player_teams ("id", "audience", "version", "created_at", "updated_at", "deleted_at", "player_id", "team_id", "name", "is_yielded") values
('01a204d6-6787-7782-ab22-b7c2c443a81e', '2', '1', '2026-11-22 19:58:09.798+00', '2026-11-22 19:58:09.798+00', NULL, '01a204d6-66cd-7116-a98f-14d95805b7ca', '01a204d6-674e-736a-8c59-ce31a6e2418c', 'Pat Player 100010 (Team 100011)', 'false'),
('01a204d6-68f8-7744-91de-e5073370441a', '2', '1', '2026-11-22 19:58:10.163+00', '2026-11-22 19:58:10.163+00', NULL, '01a204d6-68e1-724a-9b4b-16fd36a748d7', '01a204d6-674e-736a-8c59-ce31a6e2418c', 'of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the of the  house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house house  (Team 100011)', 'false'),
('01a204d6-6da1-757b-b5f8-93edbdf482d1', '0', '2', '2026-11-22 19:58:11.357+00', '2026-11-22 19:58:11.658+00', '2026-11-22 19:58:11.658+00', '01a204d6-6d6d-76b5-817e-7a85cff86ab5', '01a204d6-6d81-70c1-a286-b0cce79bce8a', 'Pat Player 100031 (Team 100032)', 'false'),
('01a204d6-6f66-73e4-bce7-919e8f1df268', '1', '1', '2026-11-22 19:58:11.814+00', '2026-11-22 19:58:11.814+00', NULL, '01a204d6-6f62-715b-8625-22c6419e8c22', '01a204d6-674e-736a-8c59-ce31a6e2418c', 'Pat Player 100042 (Team 100011)', 'false'),
('01a204d6-7112-764a-9a84-ae5ee6bdd488', '2', '1', '2026-11-22 19:58:11.901+00', '2026-11-22 19:58:11.901+00', NULL, '01a204d6-70d1-7048-846d-8edb5ea4eab1', '01a204d6-70f5-76c0-b374-ea33369ba682', 'Ken Griffey Jr. (Seattle Mariners)', 'false');

delete from oncard;
insert into oncard ("card_id", "position", "player_id", "team_id", "player_team_id", "set_no", "number_key", "lists_player", "lists_team", "lists_player_team") values
('04cb5b87-42c2-45bc-ac34-fa5b73e3bc13', '0', '01a204d6-68e1-724a-9b4b-16fd36a748d7', NULL, NULL, '1', '1', 'true', 'false', 'false'),
('04cb5b87-42c2-45bc-ac34-fa5b73e3bc13', '1', '01a204d6-68e1-724a-9b4b-16fd36a748d7', '01a204d6-674e-736a-8c59-ce31a6e2418c', '01a204d6-68f8-7744-91de-e5073370441a', '1', '1', 'false', 'true', 'true'),
('48530e84-13ae-44f6-b4b1-8ba538956135', '0', '01a204d6-66cd-7116-a98f-14d95805b7ca', '01a204d6-674e-736a-8c59-ce31a6e2418c', '01a204d6-6787-7782-ab22-b7c2c443a81e', '2', '012', 'true', 'true', 'true'),
('5f4702aa-6f84-4622-9341-fe469514effa', '0', '01a204d6-66cd-7116-a98f-14d95805b7ca', '01a204d6-674e-736a-8c59-ce31a6e2418c', '01a204d6-6787-7782-ab22-b7c2c443a81e', '1', '012', 'true', 'true', 'true'),
('5f4702aa-6f84-4622-9341-fe469514effa', '1', '01a204d6-66ab-71de-977a-afb907754eb4', NULL, NULL, '1', '012', 'true', 'false', 'false'),
('5f4702aa-6f84-4622-9341-fe469514effa', '2', NULL, '01a204d6-674e-736a-8c59-ce31a6e2418c', NULL, '1', '012', 'false', 'false', 'false'),
('7d20a3b1-0830-48d1-a9ed-a140404acb34', '0', '01a204d6-6d6d-76b5-817e-7a85cff86ab5', '01a204d6-6d81-70c1-a286-b0cce79bce8a', '01a204d6-6da1-757b-b5f8-93edbdf482d1', '1', '013', 'false', 'false', 'false'),
('7d20a3b1-0830-48d1-a9ed-a140404acb34', '1', '01a204d6-6d6d-76b5-817e-7a85cff86ab5', NULL, NULL, '1', '013', 'false', 'false', 'false'),
('7edcc41c-bb3c-83e4-8640-249e8cb1a9b6', '0', '01a204d6-70d1-7048-846d-8edb5ea4eab1', '01a204d6-70f5-76c0-b374-ea33369ba682', '01a204d6-7112-764a-9a84-ae5ee6bdd488', '7', '011', 'true', 'true', 'true'),
('e1c89444-dcf8-46b2-b075-87a8b238610a', '0', '01a204d6-6d6d-76b5-817e-7a85cff86ab5', NULL, NULL, '6', '011', 'true', 'false', 'false'),
('e1c89444-dcf8-46b2-b075-87a8b238610a', '1', '01a204d6-66cd-7116-a98f-14d95805b7ca', '01a204d6-674e-736a-8c59-ce31a6e2418c', '01a204d6-6787-7782-ab22-b7c2c443a81e', '6', '011', 'true', 'true', 'true');

delete from password_resets;
insert into password_resets ("token_hash", "user_id", "expires_at") values
(E'\\xd1890d28de1d05845ddd9105a6958b61b18c9a6d689b2275d4ed325582cd39d1', '01a204d6-71c6-7660-b047-9af6dfad139c', '2026-11-22 20:58:12.828+00');

delete from rate_windows;
insert into rate_windows ("key", "opened_at", "closes_at", "count") values
('account 01a204d6-71c6-7660-b047-9af6dfad139c', '2026-11-22 19:58:14.442+00', '2026-11-23 19:58:14.442+00', '4'),
('address 10.0.0.18', '2026-11-22 19:58:12.764+00', '2026-11-22 20:58:12.764+00', '2'),
('address 10.0.0.19', '2026-11-22 19:58:12.303+00', '2026-11-22 20:58:12.303+00', '1'),
('address 10.0.0.20', '2026-11-22 19:58:12.387+00', '2026-11-22 20:58:12.387+00', '1'),
('address 10.0.0.21', '2026-11-22 19:58:12.534+00', '2026-11-22 20:58:12.534+00', '1'),
('address 10.0.0.22', '2026-11-22 19:58:12.788+00', '2026-11-22 20:58:12.788+00', '1'),
('address 10.0.0.23', '2026-11-22 19:58:12.935+00', '2026-11-22 20:58:12.935+00', '1'),
('address 10.0.0.24', '2026-11-22 19:58:12.953+00', '2026-11-22 20:58:12.953+00', '1'),
('address 10.0.0.25', '2026-11-22 19:58:13.299+00', '2026-11-22 20:58:13.299+00', '1'),
('address 10.0.0.26', '2026-11-22 19:58:13.306+00', '2026-11-22 20:58:13.306+00', '1'),
('address 10.0.0.27', '2026-11-22 19:58:13.351+00', '2026-11-22 20:58:13.351+00', '1'),
('address 10.0.0.28', '2026-11-22 19:58:13.44+00', '2026-11-22 20:58:13.44+00', '1'),
('address 127.0.0.1', '2026-11-22 19:58:14.355+00', '2026-11-22 20:58:14.355+00', '2'),
('credential 01a204d6-628f-7643-9883-efc75b7d7281', '2026-11-22 19:58:14.471+00', '2026-11-22 20:58:14.471+00', '3'),
('credential 01a204d6-7212-7239-bb12-f515f1bf115c', '2026-11-22 19:58:14.36+00', '2026-11-23 19:58:14.36+00', '3'),
('credential 01a204d6-7289-7046-85a7-4b11a86605b0', '2026-11-22 19:58:14.442+00', '2026-11-22 20:58:14.442+00', '2'),
('emailChange c5a5a6ac18d63b1ef016d3e8f1775fd0d534747442e0c6303922d54f6482f2c1', '2026-11-22 19:58:12.982+00', '2026-11-22 20:58:12.982+00', '2'),
('forgot address 10.0.0.18', '2026-11-22 19:58:12.78+00', '2026-11-22 20:58:12.78+00', '1'),
('oauth-clients user 01a204d6-71c6-7660-b047-9af6dfad139c', '2026-11-22 19:58:12.578+00', '2026-11-22 20:58:12.578+00', '1'),
('oauth-revoke client 01a204d6-7264-76ae-9620-49bf2b1e6b49', '2026-11-22 19:58:12.706+00', '2026-11-22 19:59:12.706+00', '1'),
('oauth-token client 01a204d6-7264-76ae-9620-49bf2b1e6b49', '2026-11-22 19:58:12.622+00', '2026-11-22 19:59:12.622+00', '2'),
('oauth-tokens user 01a204d6-71c6-7660-b047-9af6dfad139c', '2026-11-22 19:58:12.594+00', '2026-11-22 20:58:12.594+00', '1'),
('session 01a204d6-625b-7114-ada7-8a1259e7bedc', '2026-11-22 19:58:08.835+00', '2026-11-22 20:58:08.835+00', '84'),
('session 01a204d6-71c6-7660-b047-9af6dfad139c', '2026-11-22 19:58:14.514+00', '2026-11-22 20:58:14.514+00', '2'),
('session 01a204d6-73ca-7513-9234-cb3291781e5f', '2026-11-22 19:58:12.98+00', '2026-11-22 20:58:12.98+00', '2'),
('session 01a204d6-74b7-73ab-bfd4-f46a0535fd0b', '2026-11-22 19:58:13.187+00', '2026-11-22 20:58:13.187+00', '1'),
('session address 10.0.0.21', '2026-11-22 19:58:12.537+00', '2026-11-22 20:13:12.537+00', '1'),
('session address 10.0.0.24', '2026-11-22 19:58:12.954+00', '2026-11-22 20:13:12.954+00', '1'),
('signup address 10.0.0.19', '2026-11-22 19:58:12.305+00', '2026-11-22 20:58:12.305+00', '1'),
('signup address 10.0.0.22', '2026-11-22 19:58:12.79+00', '2026-11-22 20:58:12.79+00', '1'),
('signup address 10.0.0.25', '2026-11-22 19:58:13.301+00', '2026-11-22 20:58:13.301+00', '1'),
('signup address 10.0.0.26', '2026-11-22 19:58:13.308+00', '2026-11-22 20:58:13.308+00', '1'),
('signup address 10.0.0.28', '2026-11-22 19:58:13.454+00', '2026-11-22 20:58:13.454+00', '1'),
('token 01a204d6-75e8-75ef-b809-ce937f15cadd', '2026-11-22 19:58:14.461+00', '2026-11-22 20:58:14.461+00', '2'),
('verify address 10.0.0.20', '2026-11-22 19:58:12.389+00', '2026-11-22 20:58:12.389+00', '1'),
('verify address 10.0.0.23', '2026-11-22 19:58:12.936+00', '2026-11-22 20:58:12.936+00', '1'),
('verify address 10.0.0.27', '2026-11-22 19:58:13.352+00', '2026-11-22 20:58:13.352+00', '1');

delete from revoked_tokens;
insert into revoked_tokens ("token_id", "expires_at") values
('01a204d6-728e-74b5-8a66-b2b870b1b7c9', '2026-11-23 19:58:12+00');

delete from set_sources;
insert into set_sources ("id", "set_id", "source_url", "title", "notes", "audience", "version", "created_at", "updated_at", "deleted_at") values
('01a204d6-6be3-77d1-9801-22978ccc57fb', '01a204d6-65af-73db-b947-13cd61c6ff98', 'https://example.org/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', '', '', '1', '1', '2026-11-22 19:58:10.913+00', '2026-11-22 19:58:10.913+00', NULL),
('01a204d6-6ce6-73e3-b3e9-b0cb1fa09695', '01a204d6-64ec-7230-8939-6a53e011dfc2', 'https://example.org/list', 'The list', 'Page 2', '2', '1', '2026-11-22 19:58:11.163+00', '2026-11-22 19:58:11.163+00', NULL),
('01a204d6-6cfd-75bb-9fa6-94e93b689850', '01a204d6-64ec-7230-8939-6a53e011dfc2', 'https://example.org/list', NULL, NULL, '0', '2', '2026-11-22 19:58:11.195+00', '2026-11-22 19:58:11.201+00', '2026-11-22 19:58:11.201+00'),
('01a204d6-6e87-7059-8cba-ff6f109849b7', '01a204d6-6e2e-754e-8c5b-a328be1dcfde', 'https://example.org/list', NULL, NULL, '0', '1', '2026-11-22 19:58:11.53+00', '2026-11-22 19:58:11.53+00', NULL);

delete from workflows;
insert into workflows ("set_id", "id", "audience", "year_id", "genre_id", "created_at", "updated_at") values
('01a204d6-764c-7780-914d-3296a4a746b7', '01a204d6-7673-745f-9be6-0c84e0539c91', '1', NULL, NULL, '2026-11-22 19:58:13.602+00', '2026-11-22 19:58:13.641+00');

delete from set_todos;
insert into set_todos ("id", "set_id", "step", "status", "sort_order", "started_at", "completed_at", "completed_by", "notes", "issues_found", "actionable", "live", "year_id", "genre_id", "created_at", "updated_at") values
('01a204d6-767e-7608-9f15-7667a236909d', '01a204d6-764c-7780-914d-3296a4a746b7', 'fetch', 'pending', '2', NULL, NULL, NULL, NULL, NULL, 'true', 'true', '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000', '2026-11-22 19:58:13.602+00', '2026-11-22 19:58:13.602+00'),
('01a204d6-768d-77da-a3e3-83bf159d4c81', '01a204d6-764c-7780-914d-3296a4a746b7', 'parse', 'pending', '3', NULL, NULL, NULL, NULL, NULL, 'false', 'true', '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000', '2026-11-22 19:58:13.641+00', '2026-11-22 19:58:13.641+00');

delete from settings;
insert into settings ("name", "value") values
('founding_slots', 'held by whoever gives one away');

delete from sign_in_networks;
insert into sign_in_networks ("user_id", "network_hash", "signed_in_at") values
('01a204d6-71c6-7660-b047-9af6dfad139c', E'\\x3901e70f332ddd5c078ba392023df47527a0afca3ff0ffb03ae493e5c4445599', '2026-11-22 19:58:12.533+00'),
('01a204d6-73ca-7513-9234-cb3291781e5f', E'\\x3a65cc7208959dc97b8cda931838bdea5854cf66c68c5a60e220e9b45d5424f8', '2026-11-22 19:58:12.952+00');

delete from sign_ups;
insert into sign_ups ("id", "email", "email_key", "name", "password_hash", "invite_use_id", "user_id", "signed_up_at", "kept_until") values
('01a204d6-7182-7604-b58d-58cd6de80763', 'person-1@example.org', 'person-1@example.org', NULL, NULL, '01a204d6-7183-7552-a034-6b8cf948704d', '01a204d6-71c6-7660-b047-9af6dfad139c', '2026-11-22 19:58:12.301+00', '2026-11-29 19:58:12.301+00'),
('01a204d6-733f-702b-8117-93e5218b4b74', 'person-2@example.org', 'person-2@example.org', NULL, NULL, NULL, '01a204d6-73ca-7513-9234-cb3291781e5f', '2026-11-22 19:58:12.787+00', '2026-11-29 19:58:12.787+00'),
('01a204d6-7536-7434-a4b0-83d531714653', 'person-5@example.org', 'person-5@example.org', NULL, '$argon2id$v=19$m=8,t=1,p=1$Sisc87s7i1o/l9akYzeWrr4EXLDJtxZbFGj9isM+uSU$NzjcscWal1E/S83UZmssNQKqEdLP97wUkk0U2Nh0Po0', '01a204d6-7537-7323-9a14-05ace0c00dde', NULL, '2026-11-22 19:58:13.298+00', '2026-11-29 19:58:13.298+00'),
('01a204d6-7545-7105-9a81-2fc0acc8d2b5', 'person-6@example.org', 'person-6@example.org', NULL, NULL, NULL, '01a204d6-7569-73a9-8b40-f407bf8d4d67', '2026-11-22 19:58:13.305+00', '2026-11-29 19:58:13.305+00');

delete from stats_days;
insert into stats_days ("day", "counts") values
('2026-11-22', '{"sets": 2, "cards": 5, "teams": 2, "years": 2, "brands": 2, "genres": 2, "players": 4, "card_images": 1, "manufacturers": 2}');

delete from stripe_events;
insert into stripe_events ("id", "type", "handled_at") values
('evt_57ce84dbd305f367147bca8f', 'checkout.session.completed', '2026-11-22 19:58:13.292+00'),
('evt_b140d793f1811d93da88b461', 'customer.subscription.created', '2026-11-22 19:58:13.278+00'),
('evt_e970f20d25368903cbe2c76f', 'invoice.paid', '2026-11-22 19:58:13.289+00');

delete from subscriptions;
insert into subscriptions ("user_id", "plan", "status", "trial_ends_at", "current_period_end", "cancel_at_period_end", "stripe_subscription_id", "created_at", "updated_at", "reminded_days") values
('01a204d6-61f6-7498-a089-9d7507953183', 'pro', 'active', NULL, NULL, 'false', NULL, '2026-11-22 19:58:08.374+00', '2026-11-22 19:58:08.374+00', NULL),
('01a204d6-6262-70f6-b01d-1b112e4e738a', 'pro', 'past_due', NULL, NULL, 'false', NULL, '2026-11-22 19:58:08.482+00', '2026-11-22 19:58:08.482+00', NULL),
('01a204d6-71c6-7660-b047-9af6dfad139c', 'trial', 'trialing', '2026-12-06 19:58:12.386+00', NULL, 'false', NULL, '2026-11-22 19:58:12.386+00', '2026-11-22 19:58:12.386+00', NULL),
('01a204d6-73ca-7513-9234-cb3291781e5f', 'trial', 'trialing', '2026-12-06 19:58:12.934+00', NULL, 'false', NULL, '2026-11-22 19:58:12.934+00', '2026-11-22 19:58:12.934+00', NULL),
('01a204d6-74b7-73ab-bfd4-f46a0535fd0b', 'pro', 'active', NULL, '2026-12-22 19:58:13+00', 'false', 'sub_b5887eda945a1712d37a35ea', '2026-11-22 19:58:13.175+00', '2026-11-22 19:58:13.292+00', NULL),
('01a204d6-7569-73a9-8b40-f407bf8d4d67', 'trial', 'trialing', '2026-12-06 19:58:13.35+00', NULL, 'false', NULL, '2026-11-22 19:58:13.35+00', '2026-11-22 19:58:13.35+00', NULL);

delete from tallies;
insert into tallies ("list", "id", "live", "published", "live_roots", "published_roots") values
('1', '00000000-0000-0000-0000-000000000001', '5', '2', '5', '2'),
('1', '00000000-0000-0000-0000-000000000002', '1', '0', '0', '0'),
('1', '00000000-0000-0000-0000-000000000003', '1', '0', '0', '0'),
('1', '01a204d6-63d7-71bd-a7fb-f364d7972549', '2', '1', '1', '1'),
('1', '01a204d6-6420-7668-9fbb-c8f8b620fe4d', '2', '1', '1', '1'),
('1', '01a204d6-6474-741f-b76e-e243a6008a12', '2', '1', '1', '1'),
('1', '01a204d6-64db-7288-a94e-9e887e53d5e3', '2', '1', '1', '1'),
('1', '01a204d6-64ec-7230-8939-6a53e011dfc2', '1', '0', '0', '0'),
('1', '01a204d6-65af-73db-b947-13cd61c6ff98', '0', '0', '0', '0'),
('1', '01a204d6-65ed-770b-bbc5-b4b4ae2c6c95', '0', '0', '0', '0'),
('1', '01a204d6-6612-72f5-8e84-ed5b69490b77', '1', '0', '0', '0'),
('1', '01a204d6-697c-7462-b016-d720cae6960c', '0', '0', '0', '0'),
('1', '01a204d6-69bb-750f-af4b-f11a3c533e65', '0', '0', '0', '0'),
('1', '01a204d6-6dde-74c5-b5f2-e84b52228e1d', '0', '0', '0', '0'),
('1', '01a204d6-6df6-72da-9110-094b600cc776', '0', '0', '0', '0'),
('1', '01a204d6-6e1f-710d-afad-0e038549991f', '0', '0', '0', '0'),
('1', '01a204d6-6e2e-754e-8c5b-a328be1dcfde', '0', '0', '0', '0'),
('1', '01a204d6-6f54-719c-bbb1-1092d98de624', '0', '0', '0', '0'),
('1', '01a204d6-6ffc-7381-b840-8b16aa32c192', '1', '1', '1', '1'),
('1', '01a204d6-700f-71de-81dd-51a764eaf39d', '1', '1', '1', '1'),
('1', '01a204d6-7039-724b-a73c-2e5761336671', '1', '1', '1', '1'),
('1', '01a204d6-7059-7207-bba7-4726378d7888', '1', '1', '1', '1'),
('1', '01a204d6-709a-7051-ae17-0055f5d43b35', '0', '0', '0', '0'),
('1', '01a204d6-764c-7780-914d-3296a4a746b7', '0', '0', '0', '0'),
('1', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '7', '2', '5', '2'),
('10', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '9', '9', '0', '0'),
('11', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '3', '2', '0', '0'),
('12', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '3', '2', '0', '0'),
('13', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '2', '2', '0', '0'),
('14', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '2', '2', '0', '0'),
('15', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '5', '4', '0', '0'),
('16', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '3', '2', '0', '0'),
('2', '01a204d6-66ab-71de-977a-afb907754eb4', '1', '1', '0', '0'),
('2', '01a204d6-66cd-7116-a98f-14d95805b7ca', '2', '1', '0', '0'),
('2', '01a204d6-674e-736a-8c59-ce31a6e2418c', '3', '2', '0', '0'),
('2', '01a204d6-6787-7782-ab22-b7c2c443a81e', '2', '1', '0', '0'),
('2', '01a204d6-67a1-738e-965e-a0276d5e59c0', '1', '1', '0', '0'),
('2', '01a204d6-67bb-776e-8f97-98ed709e3025', '1', '1', '0', '0'),
('2', '01a204d6-68e1-724a-9b4b-16fd36a748d7', '1', '1', '0', '0'),
('2', '01a204d6-68f8-7744-91de-e5073370441a', '1', '1', '0', '0'),
('2', '01a204d6-6992-74ca-9850-3ede5ca29319', '0', '0', '0', '0'),
('2', '01a204d6-69a1-7519-864d-24becad3b5ad', '0', '0', '0', '0'),
('2', '01a204d6-6b22-743d-a6c0-0c2756a3b60c', '0', '0', '0', '0'),
('2', '01a204d6-6b50-71ea-8d5b-1fac9e041961', '0', '0', '0', '0'),
('2', '01a204d6-6b82-7378-bf67-978a761bf9b9', '0', '0', '0', '0'),
('2', '01a204d6-6bb8-7257-923d-10e7bcb8bca8', '0', '0', '0', '0'),
('2', '01a204d6-6bff-718c-8e74-a3d9ce7d0b5a', '0', '0', '0', '0'),
('2', '01a204d6-6d6d-76b5-817e-7a85cff86ab5', '0', '0', '0', '0'),
('2', '01a204d6-6d81-70c1-a286-b0cce79bce8a', '0', '0', '0', '0'),
('2', '01a204d6-6d97-774e-9524-3ead3f90a0b3', '0', '0', '0', '0'),
('2', '01a204d6-6da1-757b-b5f8-93edbdf482d1', '0', '0', '0', '0'),
('2', '01a204d6-6f59-7659-9756-b57a60f91f28', '0', '0', '0', '0'),
('2', '01a204d6-6f62-715b-8625-22c6419e8c22', '0', '0', '0', '0'),
('2', '01a204d6-6fc6-77e0-9510-cbd3432a967d', '1', '1', '0', '0'),
('2', '01a204d6-70d1-7048-846d-8edb5ea4eab1', '1', '1', '0', '0'),
('2', '01a204d6-70f5-76c0-b374-ea33369ba682', '1', '1', '0', '0'),
('2', '01a204d6-7112-764a-9a84-ae5ee6bdd488', '1', '1', '0', '0'),
('20', '00000000-0000-0000-0000-000000000001', '1', '1', '0', '0'),
('20', '00000000-0000-0000-0000-000000000002', '1', '1', '0', '0'),
('20', '00000000-0000-0000-0000-000000000003', '1', '1', '0', '0'),
('20', '00000000-0000-0000-0000-000000000004', '1', '1', '0', '0'),
('20', '01a204d6-64ec-7230-8939-6a53e011dfc2', '1', '1', '0', '0'),
('20', '01a204d6-66cd-7116-a98f-14d95805b7ca', '1', '1', '0', '0'),
('20', '01a204d6-674e-736a-8c59-ce31a6e2418c', '1', '1', '0', '0'),
('20', '01a204d6-67a1-738e-965e-a0276d5e59c0', '0', '0', '0', '0'),
('20', '01a204d6-6b22-743d-a6c0-0c2756a3b60c', '1', '1', '0', '0'),
('20', '01a204d6-6b50-71ea-8d5b-1fac9e041961', '1', '1', '0', '0'),
('20', '01a204d6-6b82-7378-bf67-978a761bf9b9', '1', '1', '0', '0'),
('20', '01a204d6-6bb8-7257-923d-10e7bcb8bca8', '1', '1', '0', '0'),
('20', '01a204d6-6bff-718c-8e74-a3d9ce7d0b5a', '0', '0', '0', '0'),
('20', '5f4702aa-6f84-4622-9341-fe469514effa', '1', '1', '0', '0'),
('20', 'e1c89444-dcf8-46b2-b075-87a8b238610a', '0', '0', '0', '0'),
('20', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '4', '4', '0', '0'),
('21', '8b1e8cc7-6bc9-4037-9054-18aee4a6d719', '1', '1', '0', '0'),
('21', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '1', '1', '0', '0'),
('22', '01a204d6-64ec-7230-8939-6a53e011dfc2', '1', '1', '0', '0'),
('22', '01a204d6-65af-73db-b947-13cd61c6ff98', '1', '0', '0', '0'),
('22', '01a204d6-6e2e-754e-8c5b-a328be1dcfde', '0', '0', '0', '0'),
('22', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '2', '1', '0', '0'),
('3', '01a204d6-66cd-7116-a98f-14d95805b7ca', '1', '1', '0', '0'),
('3', '01a204d6-674e-736a-8c59-ce31a6e2418c', '3', '2', '0', '0'),
('3', '01a204d6-68e1-724a-9b4b-16fd36a748d7', '1', '1', '0', '0'),
('3', '01a204d6-6d6d-76b5-817e-7a85cff86ab5', '0', '0', '0', '0'),
('3', '01a204d6-6d81-70c1-a286-b0cce79bce8a', '0', '0', '0', '0'),
('3', '01a204d6-6f62-715b-8625-22c6419e8c22', '1', '0', '0', '0'),
('3', '01a204d6-70d1-7048-846d-8edb5ea4eab1', '1', '1', '0', '0'),
('3', '01a204d6-70f5-76c0-b374-ea33369ba682', '1', '1', '0', '0'),
('3', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '4', '3', '0', '0'),
('30', '00000000-0000-0000-0010-000000000105', '0', '0', '0', '0'),
('30', '00000000-0000-0000-0010-000000000151', '0', '0', '0', '0'),
('30', '00000000-0000-0000-0010-000000000162', '0', '0', '0', '0'),
('30', '00000000-0000-0000-0010-000000000182', '0', '0', '0', '0'),
('30', '00000000-0000-0000-0010-000000000194', '0', '0', '0', '0'),
('30', '00000000-0000-0000-0010-000000000219', '0', '0', '0', '0'),
('30', '00000000-0000-0000-0010-000000000233', '0', '0', '0', '0'),
('30', '00000000-0000-0000-0010-000000000238', '0', '0', '0', '0'),
('30', '00000000-0000-0000-0010-000000000247', '0', '0', '0', '0'),
('30', '00000000-0000-0000-0011-000000000042', '0', '0', '0', '0'),
('30', '00000000-0000-0000-0011-000000000051', '0', '0', '0', '0'),
('30', '00000000-0000-0000-0011-000000000114', '0', '0', '0', '0'),
('30', '00000000-0000-0000-0011-000000000168', '0', '0', '0', '0'),
('30', '00000000-0000-0000-0012-000000000086', '0', '0', '0', '0'),
('30', '00000000-0000-0000-0012-000000000140', '0', '0', '0', '0'),
('30', '00000000-0000-0000-0012-000000000235', '0', '0', '0', '0'),
('30', '00000000-0000-0000-0013-000000000103', '0', '0', '0', '0'),
('30', '00000000-0000-0000-0013-000000000214', '0', '0', '0', '0'),
('30', '00000000-0000-0000-0014-000000000107', '0', '0', '0', '0'),
('30', '00000000-0000-0000-0014-000000000196', '0', '0', '0', '0'),
('30', '00000000-0000-0000-0014-000000000254', '0', '0', '0', '0'),
('4', '00000000-0000-0000-0000-000000000000', '2', '2', '0', '0'),
('4', '45c48cce-2e2d-7fbd-ea1a-fc51c7c6ad26', '1', '1', '0', '0'),
('4', 'c4ca4238-a0b9-2382-0dcc-509a6f75849b', '2', '1', '0', '0'),
('4', 'c81e728d-9d4c-2f63-6f06-7f89cc14862c', '3', '1', '0', '0'),
('4', 'eccbc87e-4b5c-e2fe-2830-8fd9f2a7baf3', '1', '0', '0', '0'),
('5', '00000000-0000-0000-0000-000000000050', '1', '1', '0', '0'),
('5', '00000000-0000-0000-0000-000000000199', '1', '1', '0', '0');

delete from todo_counts;
insert into todo_counts ("step", "status", "year_id", "genre_id", "todos") values
('fetch', 'pending', '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000', '1');

delete from usage_days;
insert into usage_days ("credential_id", "day", "user_id", "requests", "last_request_at") values
('01a204d6-628f-7643-9883-efc75b7d7281', '2026-11-22', '01a204d6-61f6-7498-a089-9d7507953183', '3', '2026-11-22 19:58:14.512+00'),
('01a204d6-634e-7010-9bfe-5167c90a072a', '2026-11-22', '01a204d6-625b-7114-ada7-8a1259e7bedc', '84', '2026-11-22 19:58:14.537+00'),
('01a204d6-7212-7239-bb12-f515f1bf115c', '2026-11-22', '01a204d6-71c6-7660-b047-9af6dfad139c', '3', '2026-11-22 19:58:14.426+00'),
('01a204d6-723f-75bd-8e86-de08439d740b', '2026-11-22', '01a204d6-71c6-7660-b047-9af6dfad139c', '2', '2026-11-22 19:58:14.516+00'),
('01a204d6-7264-76ae-9620-49bf2b1e6b49', '2026-11-22', '01a204d6-71c6-7660-b047-9af6dfad139c', '2', '2026-11-22 19:58:14.469+00'),
('01a204d6-7289-7046-85a7-4b11a86605b0', '2026-11-22', '01a204d6-71c6-7660-b047-9af6dfad139c', '2', '2026-11-22 19:58:14.445+00'),
('01a204d6-73e1-755e-bd5a-d5cb66c34844', '2026-11-22', '01a204d6-73ca-7513-9234-cb3291781e5f', '2', '2026-11-22 19:58:13.17+00'),
('01a204d6-74b9-7730-93cf-fb97dcb3b183', '2026-11-22', '01a204d6-74b7-73ab-bfd4-f46a0535fd0b', '1', '2026-11-22 19:58:13.187+00');

delete from verifications;
insert into verifications ("id", "token_hash", "issued_at", "expires_at", "replaced_at", "burned_at", "sign_up_id") values
('01a204d6-7184-7633-a9fc-4a3ae3be2d49', E'\\xd4ee9950623af89d454673a29df34809bfe653d402dd75393434b3dc9ab7891b', '2026-11-22 19:58:12.362+00', '2026-11-23 19:58:12.301+00', NULL, '2026-11-22 19:58:12.386+00', '01a204d6-7182-7604-b58d-58cd6de80763'),
('01a204d6-7341-7034-a898-d1a91df271ed', E'\\x263ef8bd9a020e4331a24b5fdcd79f8f1809f4a101b87051d5bff4a75c442a1c', '2026-11-22 19:58:12.894+00', '2026-11-23 19:58:12.787+00', NULL, '2026-11-22 19:58:12.934+00', '01a204d6-733f-702b-8117-93e5218b4b74'),
('01a204d6-7538-76cc-96fe-5e0ae6f938d5', E'\\x58181fcde23855dd2bf5e64a0a0dfc9bc43df966129e0cdfb081a66b1d44a651', '2026-11-22 19:58:13.329+00', '2026-11-23 19:58:13.298+00', NULL, NULL, '01a204d6-7536-7434-a4b0-83d531714653'),
('01a204d6-7545-7106-bd82-3feb8fee4e26', E'\\xa5c39b238d5ab6ac14ea06b412f1fe50c9809a6c366f5d56fe765489fa916657', '2026-11-22 19:58:13.338+00', '2026-11-23 19:58:13.305+00', NULL, '2026-11-22 19:58:13.35+00', '01a204d6-7545-7105-9a81-2fc0acc8d2b5');

delete from waiting_list;
insert into waiting_list ("id", "email", "email_key", "user_id", "listed_at", "offered_at") values
('01a204d6-75d4-7799-af28-9ab630407539', 'person-7@example.org', 'person-7@example.org', NULL, '2026-11-22 19:58:13.407+00', NULL);

delete from words;
insert into words ("word") values
('baseball'),
('brand'),
('finest'),
('genre'),
('griffey'),
('house'),
('manufacturer'),
('mariners'),
('pele'),
('player'),
('seattle'),
('team'),
('topps'),
('year');

select setval('audit_logs_id', 13);
