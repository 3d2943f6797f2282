import { describe, expect, test } from 'bun:test'
import { createXml } from '../../../../src/catalog/import/read/source/workbook/xml.ts'
import { aWorkbook } from '../../../support/workbook.ts'
import { changed } from '../../../support/zip.ts'
import { aSheet, sheetPart, sheetsOf } from './sheets.ts'

const rowsOf = async (...args: Parameters<typeof aSheet>) => (await sheetsOf(aSheet(...args))).S

describe('the cells of a sheet', () => {
  test('are as wide as the widest row, at their places', async () => {
    const rows =
      '<row r="2"><c r="B2"><v>1</v></c></row><row r="4"/><row r="5"><c r="A5"><v>2</v></c><c r="D5"><v>3</v></c><c r="F5"/></row><row r="9"><c r="A9"/></row>'
    expect(await rowsOf(rows)).toEqual([',,,', ',"1",,', ',,,', ',,,', '"2",,,"3"'])
  })

  test('may leave their places out', async () => {
    const rows =
      '<row><c><v>1</v></c><c><v>2</v></c></row><row><c r="B2"><v>3</v></c><c><v>4</v></c></row><row r="4"><c><v>5</v></c></row>'
    expect(await rowsOf(rows)).toEqual(['"1","2",', ',"3","4"', ',,', '"5",,'])
  })

  test.each([
    ['a number', '<c><v>1.10</v></c>', '1.1'],
    ['a large number', '<c t="n"><v>1E+05</v></c>', '100000'],
    ['a formula', '<c><f>A1&lt;2</f><v>-7</v></c>', '-7'],
    ['a formula of text', '<c t="str"><f>"x"</f><v>a_x0041_ &amp; b</v></c>', 'aA & b'],
    ['true', '<c t="b"><v>1</v></c>', 'true'],
    ['false', '<c t="b"><v>0</v></c>', 'false'],
    ['an error', "<c t='e'><f>1/0</f><v>#DIV/0!</v></c>", '#DIV/0!'],
    ['a day', '<c s="1"><v>45303</v></c>', '2024-01-12'],
    ['a time', '<c s="1"><v>45303.5</v></c>', '2024-01-12T12:00:00.000Z'],
    ['a day as text', '<c t="d"><v>2024-01-12</v></c>', '2024-01-12'],
    ['text', '<c t="inlineStr"><is><t xml:space="preserve"> a "b"&#10;c </t></is></c>', ' a ""b""\u2028c '],
    ['text that names its mark', '<c t="inlineStr"><is><t>say t="e"</t></is></c>', 'say t=""e""'],
    ['marked text', '<c t="inlineStr"><is><t>a<![CDATA[<b>]]>&#128512;</t></is></c>', 'a<b>😀'],
    [
      'text in runs',
      '<c t="inlineStr"><is><r><t>Jo</t></r><r><rPr><b/></rPr><t>sé</t></r><rPh><t>x</t></rPh></is></c>',
      'José',
    ],
    ['shared text', '<c t="s"><v>1</v></c>', 'Ann _x0041_ Lee'],
    ['shared text in runs', '<c t="s"><v>2</v></c>', 'Bo Lee'],
    ['an unknown reference', '<c t="str"><v>&a;</v></c>', '&a;'],
  ])('are read as shown: %s', async (_, cell, text) => {
    const texts =
      '<si><t/></si><si><t>Ann _x005F_x0041_ Lee</t></si><si><r><t xml:space="preserve">Bo </t></r><r><t>Lee</t></r><phoneticPr/></si>'
    expect(await rowsOf(`<row>${cell}</row>`, { texts })).toEqual([`"${text}"`])
  })

  test('count days from 1904 if the workbook says so', async () => {
    const rows = '<row><c s="1"><v>43841</v></c></row>'
    for (const mark of ['1', 'true'])
      expect(
        await sheetsOf(
          changed(aSheet(rows), {
            'xl/workbook.xml': (xml) => xml.replace('<sheets>', `<workbookPr date1904="${mark}"/><sheets>`),
          }),
        ),
      ).toEqual({ S: ['"2024-01-12"'] })
  })

  test('are dates by the format of their style or of the one that it refines', async () => {
    const codes = ['m/d/yyyy;@', '0.00', '[$-409]d\\-mmm\\-yy', '"day" 0', '[h]:mm:ss.0', 'General']
    const formats = codes.map(
      (code, no) => `<numFmt numFmtId="${164 + no}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
    )
    const styles = `<styleSheet><numFmts>${formats.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/><xf numFmtId="14"/></cellStyleXfs><cellXfs>${codes
      .map((_, no) => `<xf numFmtId="${164 + no}"/>`)
      .join('')}<xf/><xf xfId="1"/><xf numFmtId="0" xfId="1"/></cellXfs></styleSheet>`
    const cells = Array.from({ length: codes.length + 3 }, (_, no) => `<c s="${no}"><v>45303</v></c>`).join('')
    const [day, number, money, named] = ['"2024-01-12"', '"45303"', '"45303.00"', '"day 45303"']
    expect(await rowsOf(`<row>${cells}</row>`, { 'xl/styles.xml': styles })).toEqual([
      [day, money, day, named, day, number, number, day, number].join(','),
    ])
  })

  test('of thousands of shared texts are the right ones', async () => {
    const texts = Array.from({ length: 3000 }, (_, no) => `<si><t>${no % 7 ? `José ${no}` : ''}</t></si>`).join('')
    const rows = Array.from(
      { length: 3000 },
      (_, no) => `<row><c t="s"><v>${2999 - no}</v></c><c><v>1</v></c></row>`,
    ).join('')
    expect(await rowsOf(rows, { texts })).toEqual(
      Array.from({ length: 3000 }, (_, no) => `${(2999 - no) % 7 ? `"José ${2999 - no}"` : ''},"1"`),
    )
  })
})

test('a sheet without anything but signs, and one of another kind, are left out', async () => {
  const book = aWorkbook({ Empty: [[]], Signs: [['"', ',']], Chart: [['x']], Full: [['x']] })
  const relations = (xml: string) => xml.replace(/(Id="rId3" Type="[^"]*)worksheet"/, '$1chartsheet"')
  expect(await sheetsOf(changed(book, { 'xl/_rels/workbook.xml.rels': relations }))).toEqual({ Full: ['"x"'] })
})

test('a row that is longer than a line may be is one, and its neighbors are read', async () => {
  const long = `<c t="inlineStr"><is><t>${'x'.repeat(700_000)}</t></is></c>`
  const lines = await rowsOf(`<row><c><v>1</v></c></row><row>${long.repeat(9)}</row><row><c><v>2</v></c></row>`)
  expect([lines?.[0]?.slice(0, 3), lines?.[2]?.slice(0, 3)]).toEqual(['"1"', '"2"'])
  expect(lines?.[1]?.length).toBeWithin(1 << 20, 3 << 20)
})

test('XML is read alike wherever its pieces end', () => {
  const whole = `\ufeff<?xml version="1.0"?><!-- a > b --><x:a b='>"' x:c = "&lt;/">t&amp;u&#x20AC;<![CDATA[<&]]><d/><e f="/"></e> </x:a>\n`
  const tokensOf = (size: number) => {
    const [xml, found] = [createXml(), [] as string[]]
    for (let at = 0; at < whole.length; at += size) {
      xml.write(whole.slice(at, at + size))
      for (let token = xml.next(); token; token = xml.next()) {
        const text = `${token.kind} ${token.text}${token.attributes}`
        if (token.kind === 'text' && found.at(-1)?.startsWith('text')) found[found.length - 1] += token.text
        else found.push(text)
      }
    }
    xml.end()
    return found
  }
  const expected = tokensOf(whole.length)
  expect(expected).toContainEqual('text t&u€<&')
  for (let size = 1; size < 40; size++) expect(tokensOf(size)).toEqual(expected)
})

test('a part in UTF-8 is read whole wherever its pieces end', async () => {
  const rows = Array.from(
    { length: 9000 },
    (_, no) => `<row><c t="inlineStr"><is><t>${'é'.repeat(no % 13)}大</t></is></c></row>`,
  )
  const lines = Array.from({ length: 9000 }, (_, no) => `"${'é'.repeat(no % 13)}大"`)
  for (const level of [0, 6] as const)
    expect((await sheetsOf(changed(aSheet(rows.join('')), { [sheetPart]: (xml) => xml }, level))).S).toEqual(lines)
})
