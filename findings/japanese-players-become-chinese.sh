#!/usr/bin/env bash
# Transliterated, Shohei Ohtani is Da Gu Xiang Ping, and Roki Sasaki's name has a quotation mark.
#
# Expected: libraries that write any script in ASCII give something by which a reader finds 大谷翔平 (Ohtani Shohei), or leave
#   it alone. Kana, which are read in one way only, come out as they are romanized: ダルビッシュ is Darubisshu.
# Seen: any-ascii 0.3.3 and transliteration 2.6.1 read Han characters as Mandarin whatever the kana beside them say. The mark
#   々, which repeats the letter before it, is "-" in the one and a quotation mark in the other. Both spell small kana as
#   if they were full ones (darubitshiyu, darubitusiyu).
# Why it matters here: folding names by transliteration makes Japanese players unfindable in both scripts. Cardstock
#   searches native scripts as they are, and knows well-known players by a list of native names.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
npm install --silent --no-audit --no-fund --prefix "$place" any-ascii@0.3.3 transliteration@2.6.1
cat >"$place/run.mjs" <<'JS'
import assert from 'node:assert'
import anyAscii from 'any-ascii'
import { transliterate } from 'transliteration'
console.log('any-ascii 0.3.3, transliteration 2.6.1')
for (const name of ['大谷翔平', '佐々木朗希', 'ダルビッシュ', 'イチロー']) console.log(name, '|', anyAscii(name), '|', transliterate(name))
assert.equal(transliterate('大谷翔平'), 'Da Gu Xiang Ping')
assert.equal(anyAscii('大谷翔平'), 'DaGuXiangPing')
assert.match(transliterate('佐々木朗希'), /^Zuo" Mu/)
assert.equal(anyAscii('佐々木朗希'), 'Zuo-MuLangXi')
assert.equal(anyAscii('ダルビッシュ'), 'darubitshiyu')
assert.equal(transliterate('ダルビッシュ'), 'darubitusiyu')
JS
node "$place/run.mjs"
