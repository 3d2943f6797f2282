#!/usr/bin/env bash
# Bun's toMatchObject compares an object that is expected in two places only in the first of them.
#
# Expected: { sets: none, cards: none } fails if cards aren't as `none` says, as it does if both are written out.
# Seen: Bun 1.4.5 passes it whatever the second member is; toEqual compares both. Jest's expect 30.5.2 fails it.
# Why it matters here: reports and documents have equal parts, such as the counts of an import, and a constant for "nothing changed"
#   is the natural way to expect them. A test of ours passed though a card had failed. Write the parts out, or use toEqual.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" bun@1.4.5 expect@30.5.2
cat >"$place/compare.mjs" <<'JS'
import assert from 'node:assert'

const report = { sets: { failed: 0 }, cards: { failed: 1 } }
const none = { failed: 0 }
const passes = (check) => {
  try {
    check()
    return true
  } catch {
    return false
  }
}
export const compare = (name, expect, wanted) => {
  const seen = {
    'one constant twice': passes(() => expect(report).toMatchObject({ sets: none, cards: none })),
    'written out': passes(() => expect(report).toMatchObject({ sets: { failed: 0 }, cards: { failed: 0 } })),
    'toEqual': passes(() => expect(report).toEqual({ sets: none, cards: none })),
  }
  console.log(name, 'passes', seen)
  assert.deepEqual(Object.values(seen), wanted)
}
JS
cat >"$place/one.test.mjs" <<'JS'
import { expect, test } from 'bun:test'
import { compare } from './compare.mjs'

test('bun', () => compare(`bun ${Bun.version}`, expect, [true, false, false]))
JS
cat >"$place/jest.mjs" <<'JS'
import { expect } from 'expect'
import { compare } from './compare.mjs'

compare('jest', expect, [false, false, false])
JS
cd "$place"
./node_modules/.bin/bun test one.test.mjs
node jest.mjs
