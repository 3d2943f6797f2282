#!/usr/bin/env bash
# postgres.js asks the first of several hosts to end a statement, whichever host it runs on.
#
# Expected: with two hosts in the URL and target_session_attrs=primary, a statement runs on the one that is the primary, and
#   cancel() asks that one to end it, as PQcancel of libpq does.
# Seen: postgres 3.4.9 sends the request to the first host of the list, and cancel() reports nothing. The statement goes
#   on. A key is valid on its own server alone, so nobody hears the request.
# Why it matters here: after a failover the standby comes second, and no statement is ended any more when its client leaves or its
#   time is up. Cardstock's patch of postgres.js asks the host that the statement runs on.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" postgres@3.4.9
cat >"$place/run.mjs" <<'JS'
import assert from 'node:assert'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'

const message = (letter, body) => {
  const head = Buffer.alloc(5)
  head.write(letter)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
const parameter = (name, value) => message('S', Buffer.from(`${name}\0${value}\0`))
const cancelCode = 80877102

/** A server that says what it is, and never answers a statement. Counts the requests to end one. */
const serve = async (inHotStandby) => {
  const seen = { cancels: 0, statements: 0 }
  const server = net.createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (first) => {
      if (first.readInt32BE(4) === cancelCode) {
        seen.cancels++
        return socket.end()
      }
      const key = Buffer.from([0, 0, 0, 7, 0, 0, 0, 7])
      const states = [parameter('in_hot_standby', inHotStandby), parameter('default_transaction_read_only', 'off')]
      socket.write(Buffer.concat([message('R', Buffer.alloc(4)), ...states, message('K', key), message('Z', Buffer.from('I'))]))
      socket.on('data', (bytes) => {
        if (bytes[0] !== 'X'.charCodeAt(0)) seen.statements++
      })
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: server.address().port, seen }
}

console.log('postgres 3.4.9')
const [standby, primary] = [await serve('on'), await serve('off')]
const sql = postgres(`postgres://ann@127.0.0.1:${standby.port},127.0.0.1:${primary.port}/cards`, {
  ...{ max: 1, fetch_types: false, target_session_attrs: 'primary' },
})
const statement = sql`select 1`
statement.catch(() => {})
while (primary.seen.statements === 0) await sleep(20)
await statement.cancel()
while (standby.seen.cancels + primary.seen.cancels === 0) await sleep(20)
console.log('the standby:', JSON.stringify(standby.seen))
console.log('the primary:', JSON.stringify(primary.seen))
assert.deepEqual(standby.seen, { cancels: 1, statements: 0 })
assert.equal(primary.seen.cancels, 0)
process.exit(0)
JS
timeout 30 node "$place/run.mjs"
