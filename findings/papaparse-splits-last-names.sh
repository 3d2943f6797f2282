#!/usr/bin/env bash
# A list of card numbers and names comes back with each name cut in two.
#
# Expected: Papa Parse finds the delimiter of a file by itself, so "1;Müller, Gerd" below "No.;Spieler" has two cells: the semicolon
#   is in each line once, and so it is in the header, which has no comma at all.
# Seen: with papaparse 5.7.1 a file with fewer than three columns is read with commas ("UndetectableDelimiter"), and the cells are
#   "1;Müller" and " Gerd". A file with tabs and two columns is cut at its commas without even that warning. A third column
#   changes everything: then the semicolon is found.
# Why it matters here: the plainest checklist has two columns, a number and a name, and Excel writes it with semicolons in half of
#   Europe. Cardstock's CSV reader finds the delimiter of two columns, too.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" papaparse@5.7.1
cat >"$place/run.mjs" <<'JS'
import assert from 'node:assert'
import Papa from 'papaparse'
const read = (text) => {
  const { data, errors, meta } = Papa.parse(text)
  console.log(JSON.stringify(text).padEnd(60), JSON.stringify(meta.delimiter), JSON.stringify(data[1]), errors.map(({ code }) => code).join())
  return [meta.delimiter, data[1], errors.length]
}
console.log('papaparse 5.7.1')
assert.deepEqual(read('No.;Spieler\n1;Müller, Gerd\n2;Maier, Sepp\n'), [',', ['1;Müller', ' Gerd'], 1])
assert.deepEqual(read('1\tRuth, Babe; Gehrig, Lou\n2\tCobb, Ty; Speaker, Tris\n')[1], ['2\tCobb', ' Ty; Speaker', ' Tris'])
assert.deepEqual(read('No.;Spieler;Verein\n1;Müller, Gerd;Bayern\n2;Maier, Sepp;Bayern\n'), [';', ['1', 'Müller, Gerd', 'Bayern'], 0])
JS
node "$place/run.mjs"
