#!/usr/bin/env bash
# uDSV reads the first rows as numbers, and the traded cards behind them as NaN.
#
# Expected: a schema that was guessed from the first rows is a guess. What doesn't fit later is kept as text, or is an error.
# Seen: uDSV 0.7.3 looks at the first ten rows. Behind them T21, 150a and the print run 1/1 are NaN, which JSON
#   writes as null. Nothing says so.
# Why it matters here: checklists begin with plain numbers, and end with T21, 150a and RC-1: their numbers are the ones that get lost.
#   Use stringObjs, or set the type of the columns to "s". Cardstock reads every cell as text.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" udsv@0.7.3
cat >"$place/run.mjs" <<'JS'
import assert from 'node:assert'
import { readFileSync } from 'node:fs'
import { inferSchema, initParser } from 'udsv'

console.log(`udsv ${JSON.parse(readFileSync(new URL('node_modules/udsv/package.json', import.meta.url))).version}`)
const plain = Array.from({ length: 12 }, (_, place) => [`${place + 1}`, 'Bo Jackson', '50'])
const last = [
  ['T21', 'Ken Griffey Jr.', '50'],
  ['150a', 'Jim Abbott', '1/1'],
]
const text = [['Number', 'Player', 'Run'], ...plain, ...last].map((row) => row.join(',')).join('\n')
const schema = inferSchema(text)
const typed = initParser(schema).typedArrs(text).slice(-2)
const asText = initParser(schema).stringArrs(text).slice(-2)
console.log('typed:', typed)
console.log('as text:', asText)
assert.deepEqual(typed, [
  [NaN, 'Ken Griffey Jr.', 50],
  [NaN, 'Jim Abbott', NaN],
])
assert.deepEqual(asText, last)
JS
node "$place/run.mjs"
