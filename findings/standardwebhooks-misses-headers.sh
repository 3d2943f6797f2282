#!/usr/bin/env bash
# standardwebhooks can't verify a delivery that comes with web Headers.
#
# Expected: verify(body, request.headers) works in a handler that gets a web Request (Bun, Deno, Node's fetch handlers,
#   workers). The headers are there.
# Seen: standardwebhooks 1.1.1 reads its headers as members of a plain object and says "Missing required headers". It
#   verifies the same delivery with Object.fromEntries(request.headers).
# Why it matters here: this is the library that receivers take for deliveries by Standard Webhooks, and so for those that Cardstock is to
#   send. Its docs have to show the conversion.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" standardwebhooks@1.1.1
cat >"$place/run.mjs" <<'JS'
import assert from 'node:assert'
import { Webhook } from 'standardwebhooks'
console.log('standardwebhooks 1.1.1')
const webhook = new Webhook(`whsec_${Buffer.alloc(32, 7).toString('base64')}`)
const now = new Date()
const body = '{"type":"catalog.changed"}'
const headers = new Headers({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
  'webhook-signature': webhook.sign('msg_1', now, body),
})
const verdict = (given) => {
  try {
    return `verified ${webhook.verify(body, given).type}`
  } catch (error) {
    return error.message
  }
}
console.log('Headers:     ', verdict(headers))
console.log('plain object:', verdict(Object.fromEntries(headers)))
assert.equal(verdict(headers), 'Missing required headers')
assert.equal(verdict(Object.fromEntries(headers)), 'verified catalog.changed')
JS
node "$place/run.mjs"
