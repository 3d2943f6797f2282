#!/usr/bin/env bash
# Aaron Judge has no last name.
#
# Expected: a library that splits personal names gives "Aaron Judge" the first name Aaron and the last name Judge. A title
#   stands before a name, and this word stands behind one. humanparser 2.7.0 gets it right.
# Seen: nameparts 1.1.4 takes "Judge" for a salutation wherever it stands, and leaves no last name. parse-full-name 1.2.7
#   makes the title Judge and the last name Aaron. It also gives Von Hayes and Van Mungo no first name.
# Why it matters here: a player's full_name is split into first and last name, and lists sort and filter by them. So
#   Cardstock splits by position: the last word, with a suffix like Jr. or III, is the last name. It never looks for titles.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" humanparser@2.7.0 parse-full-name@1.2.7 nameparts@1.1.4
cat >"$place/run.cjs" <<'JS'
const assert = require('node:assert')
const humanparser = require('humanparser')
const { parseFullName } = require('parse-full-name')
const nameparts = require('nameparts')
const parsers = {
  'humanparser 2.7.0': (name) => { const { salutation, firstName, lastName } = humanparser.parseName(name); return [salutation, firstName, lastName] },
  'nameparts 1.1.4': (name) => { const { salutation, firstName, lastName } = nameparts.parse(name); return [salutation, firstName, lastName] },
  'parse-full-name 1.2.7': (name) => { const { title, first, last } = parseFullName(name); return [title, first, last] },
}
const seen = {}
for (const [library, parse] of Object.entries(parsers))
  for (const name of ['Aaron Judge', 'Von Hayes', 'Ken Griffey Jr.']) {
    const parts = parse(name).map((part) => part || '-').join(' | ')
    seen[`${library}: ${name}`] = parts
    console.log(`${library.padEnd(22)} ${name.padEnd(16)} title | first | last = ${parts}`)
  }
assert.equal(seen['humanparser 2.7.0: Aaron Judge'], '- | Aaron | Judge')
assert.equal(seen['nameparts 1.1.4: Aaron Judge'], 'Judge | Aaron | -')
assert.equal(seen['parse-full-name 1.2.7: Aaron Judge'], 'Judge | - | Aaron')
assert.equal(seen['parse-full-name 1.2.7: Von Hayes'], '- | - | Von Hayes')
JS
node "$place/run.cjs"
