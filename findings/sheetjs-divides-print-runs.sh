#!/usr/bin/env bash
# SheetJS shows the print run 0/25 as the fraction 25/1.
#
# Expected: a slash in quotes in a number format is text. A cell with the number 25 and the format 0"/"00 shows 0/25, as
#   spreadsheet programs and numfmt 4.0.1 show it.
# Seen: ssf 0.11.2, and xlsx 0.18.5 in the text of the cell (w), take it for a fraction: 25/1 and a space. The text
#   behind General is dropped ("General of 50": 7 instead of "7 of 50"), and a locale without a currency leaves a dollar sign
#   ([$-409]0 is $7).
# Why it matters here: people format numbers in workbooks as print runs and card numbers, and an import must read what a
#   person sees. So Cardstock doesn't render formats with it.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" ssf@0.11.2 xlsx@0.18.5 numfmt@4.0.1
cat >"$place/run.cjs" <<'JS'
const assert = require('node:assert')
const SSF = require('ssf')
const XLSX = require('xlsx')
console.log(`ssf ${SSF.version}, xlsx ${XLSX.version}`)
const inWorkbook = (format, value) => {
  const book = XLSX.utils.book_new()
  XLSX.utils.book_append_sheet(book, { '!ref': 'A1', A1: { t: 'n', v: value, z: format } }, 'cards')
  return XLSX.read(XLSX.write(book, { type: 'buffer', bookType: 'xlsx' })).Sheets.cards.A1.w
}
import('numfmt').then(({ format: numfmt }) => {
  for (const [format, value] of [['0"/"00', 25], ['General" of 50"', 7], ['[$-409]0', 7], ['"RC-"0', 8]])
    console.log(format.padEnd(18), `ssf "${SSF.format(format, value)}"`.padEnd(14), `xlsx "${inWorkbook(format, value)}"`.padEnd(14), `numfmt "${numfmt(format, value)}"`)
  assert.equal(SSF.format('0"/"00', 25), '25/1 ')
  assert.equal(inWorkbook('0"/"00', 25), '25/1 ')
  assert.equal(numfmt('0"/"00', 25), '0/25')
  assert.equal(SSF.format('General" of 50"', 7), '7')
  assert.equal(SSF.format('[$-409]0', 7), '$7')
})
JS
node "$place/run.cjs"
