#!/usr/bin/env bash
# double-metaphone leaves out letters with accents: Dončić sounds like Don, and not like Doncic.
#
# Expected: the sound of a name doesn't depend on whether its accents are written, or the library says what it doesn't know.
# Seen: double-metaphone 2.0.1 knows Ç and Ñ of all such letters and skips the others without a word. Dončić is TN, as Don, and
#   Doncic is TNSK. Jokić is JK, as Joke, and Jokic JKK. Đurić loses its first letter: it is R, and Duric TRK.
# Why it matters here: people search by ear, and type names of players without accents that the cards have. An index of such
#   sounds never brings the two together. Cardstock folds letters before it compares sounds.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" double-metaphone@2.0.1
cat >"$place/run.mjs" <<'JS'
import assert from 'node:assert'
import { doubleMetaphone } from 'double-metaphone'
console.log('double-metaphone 2.0.1')
const heard = Object.fromEntries(
  ['Dončić', 'Doncic', 'Don', 'Jokić', 'Jokic', 'Joke', 'Đurić', 'Duric', 'Núñez', 'Nunez'].map((name) => [name, doubleMetaphone(name)[0]]),
)
console.log(heard)
assert.deepEqual(heard, {
  Dončić: 'TN',
  Doncic: 'TNSK',
  Don: 'TN',
  Jokić: 'JK',
  Jokic: 'JKK',
  Joke: 'JK',
  Đurić: 'R',
  Duric: 'TRK',
  Núñez: 'NNS',
  Nunez: 'NNS',
})
JS
node "$place/run.mjs"
