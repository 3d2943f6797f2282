#!/usr/bin/env bash
# Natural sorting puts card 1.10 before card 1.9, and card 1E5 behind card 20.
#
# Expected: a library for natural order compares runs of digits: 1.2, 1.9, 1.10, as natural-compare 1.4.0 and a numeric
#   Intl.Collator do.
# Seen: natural-orderby 5.0.0 and javascript-natural-sort 0.7.1 read 1.10 as the decimal 1.1, equal to 1.1, and 1E5 as
#   a hundred thousand.
# Why it matters here: checklists number cards like this (series and card, team and card). The order of a checklist must be the
#   same in pages, exports and lists. Cardstock stores a key in which each run of digits is a whole number.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" natural-orderby@5.0.0 javascript-natural-sort@0.7.1 natural-compare@1.4.0
cat >"$place/run.mjs" <<'JS'
import assert from 'node:assert'
import naturalSort from 'javascript-natural-sort'
import naturalCompare from 'natural-compare'
import { orderBy } from 'natural-orderby'
const orders = {
  'natural-orderby 5.0.0': (numbers) => orderBy(numbers),
  'javascript-natural-sort 0.7.1': (numbers) => [...numbers].sort(naturalSort),
  'natural-compare 1.4.0': (numbers) => [...numbers].sort(naturalCompare),
}
const numbers = ['1.9', '1.10', '1.2']
const insert = ['1E5', '20', '3']
for (const [library, order] of Object.entries(orders)) console.log(library.padEnd(30), order(numbers).join(' '), ' ', order(insert).join(' '))
for (const library of ['natural-orderby 5.0.0', 'javascript-natural-sort 0.7.1']) {
  assert.deepEqual(orders[library](numbers), ['1.10', '1.2', '1.9'])
  assert.deepEqual(orders[library](insert), ['3', '20', '1E5'])
}
assert.deepEqual(orders['natural-compare 1.4.0'](numbers), ['1.2', '1.9', '1.10'])
JS
node "$place/run.mjs"
