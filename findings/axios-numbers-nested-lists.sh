#!/usr/bin/env bash
# axios without indexes still numbers the values of a nested filter.
#
# Expected: `paramsSerializer: { indexes: null }` is "no brackets": include=set&include=oncard. A list inside of an object is a list,
#   too: filter[year]=1989&filter[year]=1990.
# Seen: axios 1.21.1 writes the outer list so, and the nested one as filter[year][0]=1989&filter[year][1]=1990, with `indexes` null,
#   false or true.
# Why it matters here: filters of JSON:API are all nested. A server that ignores what it doesn't know answers the whole catalog for two
#   years of it. Cardstock refuses filter[year][0] by name; join the values: filter: { year: '1989,1990' }.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" axios@1.21.1
cat >"$place/run.cjs" <<'JS'
const assert = require('node:assert')
const axios = require('axios')
console.log(`axios ${axios.VERSION}`)
const params = { include: ['set', 'oncard'], filter: { year: ['1989', '1990'] } }
const written = (indexes) => decodeURIComponent(axios.getUri({ url: '/cards', params, paramsSerializer: { indexes } }))
const nested = 'filter[year][0]=1989&filter[year][1]=1990'
for (const [indexes, outer] of [
  [null, 'include=set&include=oncard'],
  [false, 'include[]=set&include[]=oncard'],
  [true, 'include[0]=set&include[1]=oncard'],
]) {
  console.log(`indexes: ${indexes}`, written(indexes))
  assert.equal(written(indexes), `/cards?${outer}&${nested}`)
}
JS
node "$place/run.cjs"
