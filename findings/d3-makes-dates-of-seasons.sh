#!/usr/bin/env bash
# d3's autoType reads the season 2011-12 as December 2011, and 2023-24 as an invalid date, which JSON writes as null.
#
# Expected: autoType turns what is plainly a number or a date into one and leaves other text alone. 1989-90 is neither.
# Seen: d3-dsv 3.0.1 takes four digits, a hyphen and two digits for a year and a month and never looks whether there is such a
#   month. 2011-12 is the first of December. 2023-24 and 1989-90 are Invalid Date, so JSON.stringify leaves null: the season
#   is gone without an error. Seasons that end in 01 to 12 (2000-01 to 2011-12) get a date, all others lose their value. In the
#   same table the number 1E5 is 100000 and 007 is 7.
# Why it matters here: basketball and hockey sets are named by seasons, and people clean checklists in notebooks before they
#   import them. Cardstock refuses such a date in a year or number by the name of what happened; a null says nothing.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" d3-dsv@3.0.1
cat >"$place/run.mjs" <<'JS'
import assert from 'node:assert'
import { autoType, csvParse } from 'd3-dsv'
console.log('d3-dsv 3.0.1')
const rows = csvParse('season,number\n2011-12,1E5\n2023-24,007\n1989-90,1-10\n', autoType)
console.log(rows)
console.log(JSON.stringify(rows))
assert.equal(rows[0].season.toISOString(), '2011-12-01T00:00:00.000Z')
assert.equal(rows[0].number, 100000)
assert.equal(JSON.stringify(rows[1]), '{"season":null,"number":7}')
assert.equal(JSON.stringify(rows[2]), '{"season":null,"number":"1-10"}')
JS
node "$place/run.mjs"
