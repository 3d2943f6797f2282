#!/usr/bin/env bash
# spraypaint can't read a JSON:API error that has a pointer.
#
# Expected: a JSON:API client turns a 422 with `source.pointer: "/data/attributes/name"` into an error of the attribute name. The
#   format defines that member for this.
# Seen: spraypaint 0.11.1 reads `meta.attribute` and `meta.message` of each error, which only its own server sends, and never
#   the pointer. Without them save() rejects with "validation failed", and the model's errors stay empty. With them it
#   resolves to false, and the model has the error.
# Why it matters here: people who use spraypaint with Cardstock must catch the rejection and read `error.response`: the error
#   objects are in there.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" spraypaint@0.11.1 isomorphic-fetch@3.0.0
cat >"$place/run.cjs" <<'JS'
const assert = require('node:assert')
const http = require('node:http')
require('isomorphic-fetch')
const { SpraypaintBase, attr } = require('spraypaint')
console.log(`spraypaint ${require('spraypaint/package.json').version}`)
const fault = { status: '422', code: 'VALIDATION-FAILED', title: 'Invalid', detail: 'name is required', source: { pointer: '/data/attributes/name' } }
const server = http.createServer((request, response) => {
  const errors = [request.url === '/brands' ? fault : { ...fault, meta: { attribute: 'name', message: 'is required' } }]
  response.writeHead(422, { 'content-type': 'application/vnd.api+json' }).end(JSON.stringify({ errors }))
})
server.listen(0, '127.0.0.1', async () => {
  const Base = SpraypaintBase.extend({ static: { baseUrl: `http://127.0.0.1:${server.address().port}`, apiNamespace: '' } })
  const saved = async (jsonapiType) => {
    const record = new (Base.extend({ static: { jsonapiType, endpoint: `/${jsonapiType}` }, attrs: { name: attr() } }))({ name: '' })
    const outcome = await record.save().catch((error) => error.message)
    return { outcome, errors: Object.keys(record.errors) }
  }
  const byPointer = await saved('brands')
  const byMeta = await saved('genres')
  console.log('with a pointer:', JSON.stringify(byPointer))
  console.log('with meta, too:', JSON.stringify(byMeta))
  server.close()
  assert.deepEqual(byPointer, { outcome: 'validation failed', errors: [] })
  assert.deepEqual(byMeta, { outcome: false, errors: ['name'] })
})
JS
node "$place/run.cjs"
