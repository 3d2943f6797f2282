#!/usr/bin/env bash
# postgres.js sends the name of the Unix socket to the server, over TCP.
#
# Expected: in postgres:///cards?host=/var/run/postgresql&user=ann the host and the user come from the query, as libpq,
#   psql and every tool built on it read them, and as the manual of PostgreSQL shows for sockets.
# Seen: postgres 3.4.9 connects to localhost as the user of the system, and passes host and user on as parameters of the
#   session, which the server then refuses. A socket in the place of the host, percent-encoded, is taken for a name and not
#   decoded.
# Why it matters here: people copy DATABASE_URL from psql. Cardstock reads both forms of a socket itself and gives postgres.js
#   the path.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" postgres@3.4.9
cat >"$place/run.mjs" <<'JS'
import assert from 'node:assert'
import postgres from 'postgres'
console.log('postgres 3.4.9')
const read = (url) => {
  const { host, path, user, connection } = postgres(url, { user: undefined }).options
  return { host, path, user, connection }
}
const query = read('postgres:///cards?host=/var/run/postgresql&user=ann')
const encoded = read('postgres://%2Fvar%2Frun%2Fpostgresql/cards')
console.log('in the query:', JSON.stringify({ ...query, user: query.user === 'ann' ? 'ann' : 'the user of the system' }))
console.log('encoded:     ', JSON.stringify(encoded.host), JSON.stringify(encoded.path))
assert.deepEqual(query.host, ['localhost'])
assert.notEqual(query.user, 'ann')
assert.equal(query.connection.host, '/var/run/postgresql')
assert.equal(query.connection.user, 'ann')
assert.deepEqual(encoded, { ...encoded, host: ['%2Fvar%2Frun%2Fpostgresql'], path: false })
JS
node "$place/run.mjs"
