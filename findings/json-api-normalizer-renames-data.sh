#!/usr/bin/env bash
# The codes of cards, which are data, are spelled anew: RC becomes rc, and AU/RC becomes auRc.
#
# Expected: json-api-normalizer writes the names of attributes in camel case, as its README says: serial_number is serialNumber. What
#   is inside an attribute is data, and stays.
# Seen: json-api-normalizer 1.0.4 goes on into the values. A count of cards for each code, {"RC": 14, "AU/RC": 2, "EX": 1, "ex": 3},
#   comes back as {"rc": 14, "auRc": 2, "ex": 3}: the names can't be turned back, and where two differ by case, one is gone.
#   With camelizeKeys: false all of it stays, attributes included.
# Why it matters here: imports report their notes by rule, and the audit log keeps data that somebody else named. In games EX and
#   ex are two mechanics.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" json-api-normalizer@1.0.4
cat >"$place/run.mjs" <<'JS'
import assert from 'node:assert'
import { createRequire } from 'node:module'
const loaded = createRequire(import.meta.url)('json-api-normalizer')
const normalize = loaded.default ?? loaded
const counts = { RC: 14, 'AU/RC': 2, EX: 1, ex: 3 }
const document = { data: { type: 'sets', id: '1', attributes: { cards_count: 20, by_code: counts } } }
const [camel, plain] = [normalize(document), normalize(document, { camelizeKeys: false })].map(({ sets }) => sets['1'].attributes)
console.log('json-api-normalizer 1.0.4', JSON.stringify(camel))
console.log('camelizeKeys: false      ', JSON.stringify(plain))
assert.deepEqual(camel, { cardsCount: 20, byCode: { rc: 14, auRc: 2, ex: 3 } })
assert.deepEqual(plain, { cards_count: 20, by_code: counts })
JS
node "$place/run.mjs"
