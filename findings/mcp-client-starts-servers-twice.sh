#!/usr/bin/env bash
# An assistant that finds out which revision a server speaks starts it twice, and says "connected" before the second has begun.
#
# Expected: the client of the Model Context Protocol starts a server on stdio once, and asks it there which revision it speaks. Once
#   connect() resolves, that process is the one that answers.
# Seen: @modelcontextprotocol/client 2.4.0 with versionNegotiation { mode: 'auto' } starts a process to ask, ends it, and starts
#   another one for the session. At connect() only the first has left a trace; after the first request there are two. As it comes,
#   without negotiation, there is one.
# Why it matters here: what `cardstock mcp` does at its start happens twice, the message that it counts on a key's window included, and
#   connect() says nothing about whether the service can be reached.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" @modelcontextprotocol/client@2.4.0 @modelcontextprotocol/server@2.4.0
cat >"$place/server.mjs" <<'JS'
import { appendFileSync } from 'node:fs'
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
appendFileSync(process.argv[2], 'started\n')
serveStdio(() => {
  const server = new McpServer({ name: 'cards', version: '1.0.0' })
  server.registerTool('count', { description: 'Counts cards' }, () => ({ content: [{ type: 'text', text: '792' }] }))
  return server
})
JS
cat >"$place/run.mjs" <<'JS'
import assert from 'node:assert'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
const place = process.argv[2]
const startsWith = async (name, options) => {
  const log = join(place, `${name}.log`)
  const starts = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').length : 0)
  const client = new Client({ name: 'reader', version: '1.0.0' }, options)
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [join(place, 'server.mjs'), log] }))
  const answer = await client.callTool({ name: 'count', arguments: {} })
  assert.equal(answer.content[0].text, '792')
  const count = starts()
  await client.close()
  console.log(`@modelcontextprotocol/client 2.4.0, ${name}: ${count} processes for one session`)
  return count
}
assert.equal(await startsWith('as it comes', {}), 1)
assert.equal(await startsWith('auto', { versionNegotiation: { mode: 'auto' } }), 2)
JS
node "$place/run.mjs" "$place"
