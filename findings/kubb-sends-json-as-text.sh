#!/usr/bin/env bash
# kubb's client says what it sends, except that it is JSON.
#
# Expected: a generated client sends a body with the media type that the OpenAPI document names: application/json if that is there.
# Seen: @kubb/plugin-client 4.39.3 with `client: 'fetch'` writes `'Content-Type': 'application/vnd.api+json'` into an operation that
#   names that type, and nothing into one that names application/json. Nor does its client: fetch then sends the JSON as
#   text/plain;charset=UTF-8.
# Why it matters here: servers that look at the type refuse every write (415). Generate from Cardstock's own document, whose media type
#   is sent, and not from the one with application/json, or set the header (docs/how-to/generated-clients.md).
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" @kubb/{cli,core,plugin-oas,plugin-ts,plugin-client}@4.39.3
cd "$place"
cat >openapi.json <<'JSON'
{
  "openapi": "3.1.0",
  "info": { "title": "Cards", "version": "1" },
  "paths": {
    "/json": { "post": { "operationId": "sendJson",
      "requestBody": { "content": { "application/json": { "schema": { "type": "object" } } } },
      "responses": { "200": { "description": "ok", "content": { "application/json": { "schema": { "type": "object" } } } } } } },
    "/jsonapi": { "post": { "operationId": "sendJsonApi",
      "requestBody": { "content": { "application/vnd.api+json": { "schema": { "type": "object" } } } },
      "responses": { "200": { "description": "ok", "content": { "application/json": { "schema": { "type": "object" } } } } } } }
  }
}
JSON
cat >kubb.config.mjs <<'JS'
import { defineConfig } from '@kubb/core'
import { pluginClient } from '@kubb/plugin-client'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'
const output = { path: './made', extension: { '.ts': '' }, format: false, lint: false }
const plugins = [pluginOas({ generators: [] }), pluginTs(), pluginClient({ client: 'fetch' })]
export default defineConfig({ root: '.', input: { path: './openapi.json' }, output, plugins })
JS
./node_modules/.bin/kubb generate --config kubb.config.mjs >log 2>&1 || { cat log; exit 1; }
cat >run.mjs <<'JS'
import assert from 'node:assert'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { createRequire } from 'node:module'
import fetchClient from '@kubb/plugin-client/clients/fetch'
const version = createRequire(import.meta.url)('@kubb/plugin-client/package.json').version
const server = http.createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(request.headers['content-type'] ?? null))
})
server.listen(0, '127.0.0.1', async () => {
  // The headers are what the generated file says; types aside, this is the call that it makes.
  const sent = async (name) => {
    const [, own = ''] = /headers\s*:\s*\{([^}]*?)\.\.\.requestConfig\.headers/.exec(readFileSync(`made/clients/${name}.ts`, 'utf8')) ?? []
    const [, type] = /'Content-Type': '([^']+)'/.exec(own) ?? []
    const url = `http://127.0.0.1:${server.address().port}/`
    const { data } = await fetchClient({ method: 'POST', url, data: { a: 1 }, headers: type ? { 'Content-Type': type } : {} })
    return data
  }
  const seen = { 'application/json': await sent('sendJson'), 'application/vnd.api+json': await sent('sendJsonApi') }
  console.log(`@kubb/plugin-client ${version}, named in the document and sent:`, seen)
  server.close()
  assert.deepEqual(seen, { 'application/json': 'text/plain;charset=UTF-8', 'application/vnd.api+json': 'application/vnd.api+json' })
})
JS
node run.mjs
