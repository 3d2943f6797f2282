#!/usr/bin/env bash
# devour reads a team on a card, and writes back a player.
#
# Expected: who reads a record and saves it changes nothing. An identifier of JSON:API is a type and an id, and devour keeps both
#   of what it read: `oncard[0].type` is "teams".
# Seen: devour-client 3.2.0 writes the type that the model declares for the relationship over the type of each entry. The team
#   becomes `{ "type": "players", "id": <the team's> }`. Without a declared type it writes what it read.
# Why it matters here: a card shows players, teams, and players in teams, in one list. With ids that are unique for each type alone, a
#   save would put another player on the card. Cardstock's ids are UUIDs, so it is a 422. Leave the type away (docs/how-to/clients.md).
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" devour-client@3.2.0
cat >"$place/run.cjs" <<'JS'
const assert = require('node:assert')
const http = require('node:http')
const Devour = require('devour-client')
console.log(`devour-client ${require('devour-client/package.json').version}`)
const data = [
  { type: 'players', id: '7' },
  { type: 'teams', id: '7' },
]
const card = { type: 'cards', id: '1', attributes: { number: '1' }, relationships: { oncard: { data } } }
const included = data.map(({ type, id }) => ({ type, id, attributes: { name: `${type} ${id}` } }))
let written
const server = http.createServer((request, response) => {
  let body = ''
  request.on('data', (part) => (body += part))
  request.on('end', () => {
    if (request.method === 'PATCH') written = JSON.parse(body).data.relationships.oncard.data
    response.writeHead(200, { 'content-type': 'application/vnd.api+json' }).end(JSON.stringify({ data: card, included }))
  })
})
server.listen(0, '127.0.0.1', async () => {
  const readAndWritten = async (declared) => {
    const devour = new (Devour.default ?? Devour)({ apiUrl: `http://127.0.0.1:${server.address().port}`, logger: false })
    for (const type of ['player', 'team']) devour.define(type, { name: '' })
    devour.define('card', { number: '', oncard: { jsonApi: 'hasMany', ...declared } })
    const { data: read } = await devour.find('card', '1')
    await devour.update('card', read)
    const types = (list) => list.map(({ type, id }) => `${type} ${id}`).join(', ')
    return [types(read.oncard), types(written)]
  }
  const [withType, without] = [await readAndWritten({ type: 'players' }), await readAndWritten({})]
  console.log('with a type for the relationship, read and written:', withType)
  console.log('without:', without)
  server.close()
  assert.deepEqual(withType, ['players 7, teams 7', 'players 7, players 7'])
  assert.deepEqual(without, ['players 7, teams 7', 'players 7, teams 7'])
})
JS
node "$place/run.cjs"
