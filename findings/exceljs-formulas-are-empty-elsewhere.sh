#!/usr/bin/env bash
# A workbook that exceljs wrote has numbers for Excel, and none for anybody else.
#
# Expected: a cell with the formula ="RC-"&7 has a value that other programs can read, or reading it is an error. A spreadsheet
#   program shows RC-7.
# Seen: exceljs 4.4.0 writes a formula without a stored value, which the format allows. xlsx 0.18.5 leaves the member out of the
#   row as if the cell were empty, and read-excel-file 9.3.17 says null. Nothing tells an empty cell from one that couldn't be read.
# Why it matters here: sellers' and publishers' checklists are made by programs. Cards came in without a number. Cardstock refuses a
#   row with such a cell in a column that it reads, and says to save the workbook once in a spreadsheet program.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" exceljs@4.4.0 xlsx@0.18.5 read-excel-file@9.3.17
cat >"$place/run.mjs" <<'JS'
import assert from 'node:assert'
import { fileURLToPath } from 'node:url'
import ExcelJS from 'exceljs'
import { readSheet } from 'read-excel-file/node'
import XLSX from 'xlsx'
console.log('exceljs 4.4.0, xlsx 0.18.5, read-excel-file 9.3.17')
const file = fileURLToPath(new URL('cards.xlsx', import.meta.url))
const workbook = new ExcelJS.Workbook()
const sheet = workbook.addWorksheet('cards')
sheet.addRow(['Number', 'Player'])
sheet.addRow([{ formula: '"RC-"&7' }, 'Roberto Alomar'])
sheet.addRow([null, 'Joe Carter'])
await workbook.xlsx.writeFile(file)
const rows = XLSX.utils.sheet_to_json(XLSX.readFile(file).Sheets.cards)
const cells = await readSheet(file)
console.log('xlsx:           ', JSON.stringify(rows))
console.log('read-excel-file:', JSON.stringify(cells))
assert.deepEqual(rows, [{ Player: 'Roberto Alomar' }, { Player: 'Joe Carter' }])
assert.deepEqual(cells.slice(1), [[null, 'Roberto Alomar'], [null, 'Joe Carter']])
JS
node "$place/run.mjs"
