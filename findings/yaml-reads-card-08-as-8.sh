#!/usr/bin/env bash
# A list of card numbers that PyYAML wrote comes back with 8 for 08 and 100000 for 1E5.
#
# Expected: what one YAML library writes as texts, others read as the same texts. PyYAML 6.0.3 quotes '007', '1_000' and '10:20',
#   which YAML 1.1 would read as numbers.
# Seen: it leaves 08, 09 and 1E5 bare, since they are no numbers in YAML 1.1. yaml 2.9.1 and js-yaml 5.5.0 follow YAML 1.2, where
#   08 is 8 and 1E5 is a hundred thousand. Only js-yaml's and yaml's failsafe schema gives the texts.
# Why it matters here: checklists are kept in YAML, and cards are numbered 01 to 99, or 1E5 for the fifth of insert E. Cardstock
#   reads every scalar as the text that is written.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" yaml@2.9.1 js-yaml@5.5.0
cat >"$place/run.mjs" <<'JS'
import assert from 'node:assert'
import { FAILSAFE_SCHEMA, load } from 'js-yaml'
import { parse } from 'yaml'
// yaml.safe_dump(['007', '08', '1E5']) of PyYAML 6.0.3
const written = "- '007'\n- 08\n- 1E5\n"
const read = {
  'yaml 2.9.1': parse(written),
  'js-yaml 5.5.0': load(written),
  'yaml 2.9.1, failsafe': parse(written, { schema: 'failsafe' }),
  'js-yaml 5.5.0, failsafe': load(written, { schema: FAILSAFE_SCHEMA }),
}
for (const [library, numbers] of Object.entries(read)) console.log(library.padEnd(26), JSON.stringify(numbers))
for (const library of ['yaml 2.9.1', 'js-yaml 5.5.0']) assert.deepEqual(read[library], ['007', 8, 100000])
for (const library of ['yaml 2.9.1, failsafe', 'js-yaml 5.5.0, failsafe']) assert.deepEqual(read[library], ['007', '08', '1E5'])
JS
node "$place/run.mjs"
