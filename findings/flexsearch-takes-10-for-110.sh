#!/usr/bin/env bash
# FlexSearch finds card 10 for 110, and cards of 1985 for 1989.
#
# Expected: an index of texts as it comes finds whole words: 110 finds card 110, and 1989 finds that year.
# Seen: FlexSearch 0.8.212 cuts numbers behind three digits and drops repeated letters, digits too: 1989 is the words 198 and 9, which
#   card 9 of 1985 has, and 110 and 10 are the same word.
# Why it matters here: numbers are what tells cards apart. Cards that have nothing to do with the query come with the right ones.
#   In Cardstock, digits count as they stand. With FlexSearch: new Index({ encoder: { numeric: false, dedupe: false } }).
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" flexsearch@0.8.212
cat >"$place/run.mjs" <<'JS'
import assert from 'node:assert'
import { readFileSync } from 'node:fs'
import { Index } from 'flexsearch'

console.log(`flexsearch ${JSON.parse(readFileSync(new URL('node_modules/flexsearch/package.json', import.meta.url))).version}`)
const cards = ['1989 Upper Deck 1 Ken Griffey Jr.', '1985 Topps 9 Sammy Stewart', '1993 Finest 110 Ken Griffey Jr.', '1933 Goudey 10']
const answersOf = (options) => {
  const index = new Index(options)
  cards.forEach((card, place) => index.add(place, card))
  return (query) => index.search(query).map((place) => cards[place])
}
const asItComes = answersOf()
const digitsKept = answersOf({ encoder: { numeric: false, dedupe: false } })
for (const query of ['1989', '110']) console.log(query, asItComes(query), digitsKept(query))
assert.deepEqual(asItComes('1989'), [cards[0], cards[1]])
assert.deepEqual(asItComes('110').toSorted(), [cards[2], cards[3]].toSorted())
assert.deepEqual(digitsKept('1989'), [cards[0]])
assert.deepEqual(digitsKept('110'), [cards[2]])
JS
node "$place/run.mjs"
