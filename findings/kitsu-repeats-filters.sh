#!/usr/bin/env bash
# A filter by two years becomes two filters by one year each, and a first page becomes the page after "null".
#
# Expected: kitsu-core's query() writes a list of values as JSON:API recommends for filters, filter[year]=1989,1990, and leaves out
#   what is null.
# Seen: kitsu-core 11.1.0 writes filter[year]=1989&filter[year]=1990 and page[after]=null. Most servers take the first or the last of
#   a parameter that is there twice, and answer half of the cards without a word.
# Why it matters here: lists of Cardstock take several values with commas. A parameter that is there twice is refused with a 400 that
#   names it, and so is a cursor that is no cursor: join the values, and leave page[after] away on the first page.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" kitsu-core@11.1.0
cat >"$place/run.mjs" <<'JS'
import assert from 'node:assert'
import { query } from 'kitsu-core'
const written = decodeURIComponent(query({ filter: { year: ['1989', '1990'] }, page: { size: 25, after: null } }))
console.log('kitsu-core 11.1.0', written)
assert.equal(written, 'filter[year]=1989&filter[year]=1990&page[size]=25&page[after]=null')
assert.equal(decodeURIComponent(query({ filter: { year: '1989,1990' } })), 'filter[year]=1989,1990')
JS
node "$place/run.mjs"
