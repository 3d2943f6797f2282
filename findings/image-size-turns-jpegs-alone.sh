#!/usr/bin/env bash
# image-size knows that a JPEG lies on its side, and not that a PNG, a WebP or a TIFF with the same EXIF does.
#
# Expected: EXIF is one format, and JPEG, PNG (eXIf), WebP (EXIF) and TIFF carry it. A library that returns the orientation of
#   one returns that of all, or exifr, which reads EXIF, does.
# Seen: four pictures of 40 by 20 with orientation 6, written by sharp 0.35.5, which reads 6 from all four. image-size 2.0.2
#   returns 6 for the JPEG alone and no orientation for the others. exifr 7.1.3 returns 6 for JPEG, PNG and TIFF, and
#   calls the WebP an unknown file format.
# Why it matters here: people upload scans and photos of cards in all of these. A page that asks such a library which way is up
#   shows the others sideways. Cardstock reads the orientation of each format itself and stores the picture upright.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" image-size@2.0.2 exifr@7.1.3 sharp@0.35.5
cat >"$place/run.mjs" <<'JS'
import assert from 'node:assert'
import exifr from 'exifr'
import { imageSize } from 'image-size'
import sharp from 'sharp'
console.log('image-size 2.0.2, exifr 7.1.3, sharp 0.35.5')
const seen = {}
for (const format of ['jpeg', 'png', 'webp', 'tiff']) {
  const card = sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } })
  const bytes = await card.withMetadata({ orientation: 6 }).toFormat(format).toBuffer()
  const { orientation: written } = await sharp(bytes).metadata()
  const { orientation: sized = 'none' } = imageSize(bytes)
  const read = await exifr.orientation(bytes).catch(({ message }) => message)
  console.log(format.padEnd(5), `sharp ${written}, image-size ${sized}, exifr ${read}`)
  seen[format] = [written, sized, read]
}
assert.deepEqual(seen, {
  jpeg: [6, 6, 6],
  png: [6, 'none', 6],
  webp: [6, 'none', 'Unknown file format'],
  tiff: [6, 'none', 6],
})
JS
node "$place/run.mjs"
