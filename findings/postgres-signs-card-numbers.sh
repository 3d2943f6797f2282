#!/usr/bin/env bash
# PostgreSQL's text search reads the hyphen of a card number as a minus sign.
#
# Expected: to_tsvector('simple', 'RC-10') gives the words rc and 10, as it does for words of letters (blue-green), and the
#   season 1986-87 gives 1986 and 87.
# Seen: with PostgreSQL 18.6 (PGlite 0.5.16) the parser makes signed integers: 'rc' and '-10', '1986' and '-87'. So neither "10" nor
#   "rc 10" finds RC-10, and "87" doesn't find the season. With another hyphen (U+2010, as PDFs have it) they do.
#   A number with a slash stays one word: "4" doesn't find 4/102.
# Why it matters here: card numbers and seasons look like this in every checklist. Cardstock has its own folding for
#   numbers, and replaces all that isn't a letter or digit before it makes words.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" @electric-sql/pglite@0.5.16
cat >"$place/run.mjs" <<'JS'
import assert from 'node:assert'
import { PGlite } from '@electric-sql/pglite'
const db = new PGlite()
console.log((await db.query('select version()')).rows[0].version.split(' on ')[0])
const words = async (text) => (await db.query("select to_tsvector('simple', $1)::text as words", [text])).rows[0].words
for (const text of ['RC-10', 'RC\u201010', '1986-87 Fleer', 'blue-green', '4/102']) console.log(text.padEnd(16), await words(text))
const finds = async (query, text) =>
  (await db.query("select to_tsvector('simple', $1) @@ plainto_tsquery('simple', $2) as found", [text, query])).rows[0].found
assert.equal(await words('RC-10'), "'-10':2 'rc':1")
assert.equal(await words('RC\u201010'), "'10':2 'rc':1")
assert.equal(await words('1986-87 Fleer'), "'-87':2 '1986':1 'fleer':3")
assert.equal(await finds('rc 10', 'RC-10'), false)
assert.equal(await finds('rc 10', 'RC\u201010'), true)
assert.equal(await finds('4', '4/102'), false)
JS
node "$place/run.mjs"
