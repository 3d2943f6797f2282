#!/usr/bin/env bash
# lunr finds Will Clark by "will clark", and nothing by "+will +clark".
#
# Expected: a term that lunr drops as a stop word is dropped from a query, too. "+will +clark" asks for both words of a name
#   that has both.
# Seen: with lunr 2.3.9, "will" is no word of the index, and yet a required one: nothing is found. "+isaiah +likely" and
#   "+so +taguchi" find nothing either.
# Why it matters here: lunr searches in the pages of static catalogs and in the docs of many tools, and people copy
#   queries of that form. Cardstock has no stop words among names: every word of a name finds it.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" lunr@2.3.9
cat >"$place/run.cjs" <<'JS'
const assert = require('node:assert')
const lunr = require('lunr')
console.log(`lunr ${lunr.version}`)
const names = ['Will Clark', 'Isaiah Likely', 'So Taguchi', 'Mike Trout']
const index = lunr(function () {
  this.ref('name')
  this.field('name')
  for (const name of names) this.add({ name })
})
const found = (query) => index.search(query).map(({ ref }) => ref)
for (const query of ['will', 'will clark', '+will +clark', '+isaiah +likely', '+mike +trout']) console.log(query.padEnd(16), JSON.stringify(found(query)))
assert.deepEqual(found('will'), [])
assert.deepEqual(found('will clark'), ['Will Clark'])
assert.deepEqual(found('+will +clark'), [])
assert.deepEqual(found('+isaiah +likely'), [])
assert.deepEqual(found('+mike +trout'), ['Mike Trout'])
JS
node "$place/run.cjs"
