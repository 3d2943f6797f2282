#!/usr/bin/env bash
# yayson makes a record without an id of a relationship that has only links.
#
# Expected: a relationship without "data" says nothing about what it leads to (JSON:API 1.1, "Resource Linkage"), so that the member is
#   missing or undefined. "data": null is the one that says "nothing is there".
# Seen: yayson 4.3.0 gives null for null, and { id: "" } for a relationship that has only links.
# Why it matters here: where an API links to the cards of a set without listing them, `if (set.cards)` is true for every set, and
#   set.cards is one card without an id. Cardstock leaves such relationships out; with yayson, ask any other catalog's for `id` first.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" yayson@4.3.0
cat >"$place/run.mjs" <<'JS'
import assert from 'node:assert'
import { readFileSync } from 'node:fs'
import yayson from 'yayson'

console.log(`yayson ${JSON.parse(readFileSync(new URL('node_modules/yayson/package.json', import.meta.url))).version}`)
const { Store } = yayson()
const set = new Store().sync({
  data: {
    type: 'sets',
    id: '89',
    attributes: { name: '1989 Upper Deck' },
    relationships: { parentset: { data: null }, cards: { links: { related: '/v2/sets/89/cards' } } },
  },
})
console.log('parentset:', set.parentset, 'cards:', set.cards)
assert.equal(set.parentset, null)
assert.deepEqual({ ...set.cards }, { id: '' })
JS
node "$place/run.mjs"
