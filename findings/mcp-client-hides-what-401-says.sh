#!/usr/bin/env bash
# The sentence that tells somebody to renew a key reaches them in one mode of the same client, and not in the other.
#
# Expected: a server answers 401 with a text for the person in front of the assistant, and the client's error has that text, in
#   whatever revision it speaks.
# Seen: @modelcontextprotocol/client 2.4.0 puts the whole body into the error as it comes. With versionNegotiation { mode: 'auto' },
#   which the revision of 2026 needs, the error is one sentence of its own, and the body is gone.
# Why it matters here: "The key was revoked. Make a new one at /account." is all the help that somebody gets. What only the answer says,
#   docs/mcp.md says, too.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" @modelcontextprotocol/client@2.4.0
cat >"$place/run.mjs" <<'JS'
import assert from 'node:assert'
import { createServer } from 'node:http'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
const help = 'The key was revoked. Make a new one at /account.'
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => response.writeHead(401, { 'content-type': 'text/plain', 'www-authenticate': 'Bearer' }).end(help))
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const address = new URL(`http://127.0.0.1:${server.address().port}/mcp`)
const errorOf = async (options) => {
  const client = new Client({ name: 'reader', version: '1.0.0' }, options)
  const error = await client.connect(new StreamableHTTPClientTransport(address)).then(() => undefined, ({ message }) => message)
  await client.close().catch(() => {})
  return error
}
const plain = await errorOf({})
const auto = await errorOf({ versionNegotiation: { mode: 'auto' } })
console.log(`@modelcontextprotocol/client 2.4.0\nas it comes: ${plain}\nauto:        ${auto}`)
server.close()
server.closeAllConnections()
assert.ok(plain.includes(help))
assert.ok(!auto.includes(help))
JS
node "$place/run.mjs"
