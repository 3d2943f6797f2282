#!/usr/bin/env bash
# Orama's best answer to the name Kjær is the card number RC-10, and Acuña isn't found by acuna.
#
# Expected: a search for a name as it is written finds that name first, and accents don't matter: acuna finds Acuña, as flabebe
#   finds Flabébé.
# Seen: the default (English) tokenizer of Orama 3.1.18 knows seven accented letters (é and ò among them) and parts words at all
#   others. Kjær is indexed as "kj" and "r". The query becomes the same two words, which as beginnings of words find RC-10
#   and others, and RC-10 comes first. acuna finds nothing. 佐々木朗希 and 이정후 have no words at all.
# Why it matters here: this is the kind of engine that people put in front of a catalog. Cardstock folds æ to ae and ñ to n on
#   both sides, and searches native scripts from their first character on.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" @orama/orama@3.1.18
cat >"$place/run.mjs" <<'JS'
import assert from 'node:assert'
import { create, insert, search } from '@orama/orama'
console.log('@orama/orama 3.1.18')
const db = create({ schema: { name: 'string' } })
for (const name of ['RC-10', 'Kjær Simon', 'Flabébé', '佐々木朗希', '이정후', 'Acuña Ronald']) await insert(db, { name })
const found = async (term) => (await search(db, { term })).hits.map(({ document }) => document.name)
for (const term of ['Kjær', 'flabebe', 'acuna', '佐々木朗希', '이정후']) console.log(term, JSON.stringify(await found(term)))
assert.equal((await found('Kjær'))[0], 'RC-10')
assert.deepEqual(await found('flabebe'), ['Flabébé'])
assert.deepEqual(await found('acuna'), [])
assert.deepEqual(await found('佐々木朗希'), [])
assert.deepEqual(await found('이정후'), [])
JS
node "$place/run.mjs"
