#!/usr/bin/env bash
# fflate's streaming reader lists the insides of a workbook as files of the zip around it.
#
# Expected: a zip with a workbook and a text has two entries, however it is read.
# Seen: where the zip was written as a stream and stores its entries (yazl 3.3.1, no compression: sizes stand behind the data),
#   Unzip of fflate 0.8.3 finds the marks of the zip inside the zip and emits its parts as entries. unzipSync, which reads
#   the directory at the end, finds the two. The format allows both ways of writing.
# Why it matters here: people upload zips of workbooks, and a workbook is a zip itself. Such an upload was called damaged. Cardstock
#   reads zips by their directory.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" fflate@0.8.3 yazl@3.3.1
cat >"$place/run.mjs" <<'JS'
import assert from 'node:assert'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { Unzip, UnzipInflate, unzipSync } from 'fflate'
import yazl from 'yazl'
console.log('fflate 0.8.3, yazl 3.3.1')
const zip = (files) => {
  const archive = new yazl.ZipFile()
  for (const [name, bytes] of Object.entries(files)) archive.addReadStream(Readable.from([bytes]), name, { compress: false })
  archive.end()
  return buffer(archive.outputStream)
}
const workbook = await zip({ 'xl/workbook.xml': Buffer.from('<workbook/>') })
const upload = await zip({ 'cards.xlsx': workbook, 'readme.txt': Buffer.from('hello') })
const streamed = []
const reader = new Unzip(({ name }) => streamed.push(name))
reader.register(UnzipInflate)
reader.push(upload, true)
console.log('streaming:', streamed.join(', '))
console.log('directory:', Object.keys(unzipSync(upload)).join(', '))
assert.deepEqual(streamed, ['cards.xlsx', 'xl/workbook.xml', 'readme.txt'])
assert.deepEqual(Object.keys(unzipSync(upload)), ['cards.xlsx', 'readme.txt'])
JS
node "$place/run.mjs"
