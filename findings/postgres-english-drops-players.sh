#!/usr/bin/env bash
# PostgreSQL's English text search forgets Will and Don, and reads Mattingly as "mat".
#
# Expected: to_tsvector('english', name) keeps the words of a name, so that each of them finds it.
# Seen: with PostgreSQL 18.6 (PGlite 0.5.16), "will" and "don" are stop words ("don" is what is left of "don't"): Will Clark
#   is 'clark' and Don Mattingly is 'mat', since the stemmer cuts -ly, -ing and the doubled t in turn. A Don Will would have
#   no words at all. "So Taguchi" loses his first name, "Justin Now" his last one.
# Why it matters here: the obvious way to search a catalog on PostgreSQL is the English configuration. It can't find people by
#   these names, and finds Don Mattingly for "mat". Cardstock folds names itself and keeps every word.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" @electric-sql/pglite@0.5.16
cat >"$place/run.mjs" <<'JS'
import assert from 'node:assert'
import { PGlite } from '@electric-sql/pglite'
const db = new PGlite()
console.log((await db.query('select version()')).rows[0].version.split(' on ')[0])
const words = async (name) => (await db.query("select to_tsvector('english', $1)::text as words", [name])).rows[0].words
const finds = async (query, name) =>
  (await db.query("select to_tsvector('english', $1) @@ plainto_tsquery('english', $2) as found", [name, query])).rows[0].found
for (const name of ['Will Clark', 'Don Mattingly', 'Don Will', 'So Taguchi', 'Justin Now']) console.log(name.padEnd(16), await words(name))
assert.equal(await words('Will Clark'), "'clark':2")
assert.equal(await words('Don Mattingly'), "'mat':2")
assert.equal(await words('Don Will'), '')
assert.equal(await finds('will', 'Will Clark'), false)
assert.equal(await finds('mat', 'Don Mattingly'), true)
assert.equal(await finds('mat', 'Matt Williams'), false)
console.log('"mat" finds Don Mattingly, and not Matt Williams')
JS
node "$place/run.mjs"
