import { longestLine } from '../lines.ts'
import { BadWorkbook } from './bad-workbook.ts'
import { createXml } from './xml.ts'

/** The texts that cells refer to by number. `get` is undefined where there's none. */
export type Texts = { get: (no: number) => string | undefined }

/** The texts of a workbook that shares none. */
export const noTexts: Texts = { get: () => undefined }

/** How much the texts may take, in bytes, because all of them are held in memory. */
const mostBytes = 128 * 1024 * 1024

/** What remembering where a text ends takes, in bytes. */
const endBytes = 4

/** Reads the texts that the cells of a workbook share. They're kept packed as UTF-8. Throws BadWorkbook. */
export const readTexts = async (pieces: AsyncIterable<string>): Promise<Texts> => {
  const xml = createXml()
  const texts = keepTexts()
  const item = createText()
  for await (const piece of pieces) {
    xml.write(piece)
    for (let token = xml.next(); token; token = xml.next()) {
      if (token.kind === 'close' && token.text === 'si') texts.add(item.end())
      else item.take(token.kind, token.text)
    }
  }
  xml.end()
  return texts
}

const keepTexts = () => {
  const blocks: Block[] = []
  let last: string[] = []
  let kept = 0
  return {
    add: (text: string) => {
      kept += Buffer.byteLength(text) + endBytes
      if (kept > mostBytes) throw new BadWorkbook(`its texts are larger than ${mostBytes >> 20} MiB`)
      last.push(text)
      if (last.length < inBlock) return
      blocks.push(blockOf(last))
      last = []
    },
    get: (no: number) => {
      const block = blocks[Math.floor(no / inBlock)]
      return block ? textIn(block, no % inBlock) : last[no - inBlock * blocks.length]
    },
  }
}

/** Some texts as one, and where each ends. */
type Block = { bytes: Buffer; ends: Uint32Array }

/** How many texts are kept together. */
const inBlock = 1024

const blockOf = (texts: string[]): Block => {
  let end = 0
  const ends = Uint32Array.from(texts, (text) => (end += Buffer.byteLength(text)))
  const bytes = Buffer.allocUnsafeSlow(end)
  for (const [no, text] of texts.entries()) bytes.write(text, ends[no - 1] ?? 0)
  return { bytes, ends }
}

const textIn = ({ bytes, ends }: Block, no: number): string | undefined => {
  const end = ends[no]
  return end === undefined ? undefined : bytes.toString('utf8', ends[no - 1] ?? 0, end)
}

/**
 * A text of a workbook, which may be in several runs. How it's pronounced isn't part of it. One that is longer than a line may
 * be is cut off behind that.
 */
export const createText = () => {
  let [text, isText, isSpoken] = ['', false, false]
  return {
    take: (kind: 'open' | 'close' | 'text', what: string) => {
      if (kind === 'text') {
        if (isText && !isSpoken && text.length <= longestLine) text += what
      } else if (what === 't') isText = kind === 'open'
      else if (what === 'rPh') isSpoken = kind === 'open'
    },
    end: () => {
      const whole = unescapeText(text)
      ;[text, isText, isSpoken] = ['', false, false]
      return whole
    },
  }
}

/** A text with the characters that XML has no place for, such as `_x0007_`. */
export const unescapeText = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([\dA-Fa-f]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    : text
