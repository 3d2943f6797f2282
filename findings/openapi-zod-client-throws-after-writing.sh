#!/usr/bin/env bash
# A record is made, and the client that made it throws: an answer in JSON:API has to be nothing.
#
# Expected: a generator reads the schema of an answer under any media type of JSON, or leaves an answer that it can't read unchecked.
# Seen: openapi-zod-client 1.18.3 reads the body of a request under application/vnd.api+json, but writes `z.void()` for an answer under
#   it. The client (@zodios/core 10.9.6) sends the record, gets 201 with the record, and rejects with "Invalid response from
#   endpoint": expected void, received object. Under application/json the same schema is read.
# Why it matters here: who tries again has two cards, or a 422 for a name that is taken. Generate from /openapi.json?media=json.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" openapi-zod-client@1.18.3 @zodios/core@10.9.6 zod@3.25.76 axios@1.21.1
cd "$place"
cat >write.mjs <<'JS'
import { writeFileSync } from 'node:fs'
const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
const post = (operationId, mediaType) => {
  const content = { [mediaType]: { schema } }
  return { post: { operationId, requestBody: { required: true, content }, responses: { 201: { description: 'Made.', content } } } }
}
const paths = { '/json': post('makeJson', 'application/json'), '/jsonapi': post('makeJsonApi', 'application/vnd.api+json') }
writeFileSync('openapi.json', JSON.stringify({ openapi: '3.0.3', info: { title: 'Cards', version: '1' }, paths }))
JS
node write.mjs
./node_modules/.bin/openapi-zod-client openapi.json -o made.ts --export-schemas >log 2>&1 || { cat log; exit 1; }
sed -E 's/, type ZodiosOptions//; s/(baseUrl|options)\??: \w+/\1/g' made.ts >made.mjs
cat >run.mjs <<'JS'
import assert from 'node:assert'
import http from 'node:http'
import { createApiClient } from './made.mjs'
let made = 0
const server = http.createServer((request, response) => {
  made += 1
  const type = request.url === '/json' ? 'application/json' : 'application/vnd.api+json'
  response.writeHead(201, { 'content-type': type }).end('{"name":"Topps"}')
})
server.listen(0, '127.0.0.1', async () => {
  const client = createApiClient(`http://127.0.0.1:${server.address().port}`)
  const said = (error) => [error.message.split('\n')[0], error.message.match(/Expected \w+, received \w+/)?.[0]].join(': ')
  const seen = [await client.makeJson({ name: 'Topps' }).catch(said), await client.makeJsonApi({ name: 'Topps' }).catch(said)]
  console.log(`openapi-zod-client 1.18.3: ${made} records were made, and the calls gave`, seen)
  server.close()
  assert.deepEqual([made, ...seen], [
    2,
    { name: 'Topps' },
    "Zodios: Invalid response from endpoint 'post /jsonapi': Expected void, received object",
  ])
})
JS
node run.mjs
