#!/usr/bin/env bash
# jsonapi-serializer can't tell a player on a card from a team on it.
#
# Expected: a deserializer of JSON:API keeps the type of each resource, since a relationship may hold several types, and keeps
#   the id of a related resource that isn't included.
# Seen: Deserializer of jsonapi-serializer 3.6.9 drops every type, and a relationship whose resource isn't included
#   vanishes without a trace, its id too. By default it also turns serial_number into serial-number.
# Why it matters here: the players, teams and player-teams on a card are one relationship. A program that uses this library
#   needs `transform` and `valueForRelationship` (a function for each type that may come) to read cards of Cardstock.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" jsonapi-serializer@3.6.9
cat >"$place/run.cjs" <<'JS'
const assert = require('node:assert')
const { Deserializer } = require('jsonapi-serializer')
console.log(`jsonapi-serializer ${require('jsonapi-serializer/package.json').version}`)
const card = {
  data: {
    type: 'cards', id: '57', attributes: { number: '57', serial_number: '/25' },
    relationships: {
      set: { data: { type: 'sets', id: '1' } },
      oncard: { data: [{ type: 'players', id: '2' }, { type: 'teams', id: '3' }] },
    },
  },
  included: [{ type: 'players', id: '2', attributes: { name: 'Magic' } }, { type: 'teams', id: '3', attributes: { name: 'Magic' } }],
}
new Deserializer().deserialize(card).then((read) => {
  console.log(JSON.stringify(read))
  assert.deepEqual(read, { number: '57', 'serial-number': '/25', id: '57', oncard: [{ name: 'Magic', id: '2' }, { name: 'Magic', id: '3' }] })
})
JS
node "$place/run.cjs"
