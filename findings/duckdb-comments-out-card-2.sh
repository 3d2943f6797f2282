#!/usr/bin/env bash
# DuckDB takes one card number with a # for a comment, and drops the card.
#
# Expected: read_csv with its defaults gives three cards for three lines. It finds the delimiter, the quotes and the types by itself,
#   and # means "number" in each of them.
# Seen: DuckDB 1.5.6 gives three cards where all numbers have a #, and two where one has: it decides that the file has comments, and
#   the line is gone without an error or a warning.
# Why it matters here: checklists are typed by hand, and "#2" among plain numbers is common. Who cleans a file with DuckDB before an
#   import loses those cards. Pass comment='' to read_csv, or import the file as it is: Cardstock reads #2 as 2.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" @duckdb/node-api@1.5.6-r.1
cat >"$place/run.cjs" <<'JS'
const assert = require('node:assert')
const { writeFileSync } = require('node:fs')
const { DuckDBInstance } = require('@duckdb/node-api')

const people = ['Ken Griffey Jr.', 'Bo Jackson', 'Jim Abbott']
const file = `${__dirname}/checklist.csv`
const write = (numbers) => {
  const lines = people.map((player, place) => `${numbers[place]},${player},1989`)
  writeFileSync(file, ['Number,Player,Year', ...lines, ''].join('\n'))
}

const main = async () => {
  const duckdb = await (await DuckDBInstance.create()).connect()
  const ask = async (sql) => (await duckdb.runAndReadAll(sql)).getRows().flat()
  const numbers = (options = '') => ask(`select "Number"::varchar from read_csv('${file}'${options})`)

  console.log(`DuckDB ${await ask('select version()')}`)
  write(['#1', '#2', '#3'])
  const marked = await numbers()
  console.log('each with a #:', marked)
  write(['1', '#2', '3'])
  const mixed = await numbers()
  const told = await numbers(", comment=''")
  console.log('one with a #:', mixed)
  console.log("one with a #, and comment='':", told)
  assert.deepEqual(marked, ['#1', '#2', '#3'])
  assert.deepEqual(mixed, ['1', '3'])
  assert.deepEqual(told, ['1', '#2', '3'])
}
main()
JS
node "$place/run.cjs"
