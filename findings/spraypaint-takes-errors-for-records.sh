#!/usr/bin/env bash
# An error with `meta` is a success for spraypaint, until it looks for the record.
#
# Expected: a JSON:API client rejects a 404 with what the server said. An error document may have `meta` beside `errors`: the
#   format says so, and many servers put a request's id there.
# Seen: spraypaint 0.11.1 takes an answer below 500 for an error only if it has neither `data` nor `meta`. With `meta` it goes on
#   as after a 200: find() ends in "Cannot read properties of undefined (reading 'type')", all() in "(reading 'forEach')", without
#   the answer. Without `meta` it rejects with "record not found", and `error.response` is the answer.
# Why it matters here: each of Cardstock's errors has `meta.request_id`. A spent allowance, a missing card and a misspelt filter all
#   look like a fault of the page. An afterFilter that throws `json.errors` brings them back (docs/how-to/clients.md).
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" spraypaint@0.11.1
cat >"$place/run.cjs" <<'JS'
const assert = require('node:assert')
const http = require('node:http')
const { SpraypaintBase, attr } = require('spraypaint')
console.log(`spraypaint ${require('spraypaint/package.json').version}`)
const errors = [{ status: '404', code: 'NOT_FOUND', title: 'Not found' }]
const server = http.createServer((request, response) => {
  const document = request.url.startsWith('/told') ? { errors, meta: { request_id: 'a1' } } : { errors }
  response.writeHead(404, { 'content-type': 'application/vnd.api+json' }).end(JSON.stringify(document))
})
server.listen(0, '127.0.0.1', async () => {
  const baseUrl = `http://127.0.0.1:${server.address().port}`
  const seen = async (apiNamespace) => {
    const Base = SpraypaintBase.extend({ static: { baseUrl, apiNamespace } })
    const Card = Base.extend({ static: { jsonapiType: 'cards' }, attrs: { number: attr() } })
    const said = (error) => `${error.constructor.name === 'TypeError' ? 'TypeError: ' : ''}${error.message}, answer: ${error.response?.status}`
    return [await Card.find('1').catch(said), await Card.all().catch(said)]
  }
  const [plain, told] = [await seen('/plain'), await seen('/told')]
  console.log('errors alone:   ', plain)
  console.log('errors and meta:', told)
  server.close()
  assert.deepEqual(plain, ['record not found, answer: 404', 'record not found, answer: 404'])
  assert.deepEqual(told, [
    "TypeError: Cannot read properties of undefined (reading 'type'), answer: undefined",
    "TypeError: Cannot read properties of undefined (reading 'forEach'), answer: undefined",
  ])
})
JS
node "$place/run.cjs"
