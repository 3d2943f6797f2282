/**
 * A text as search and duplicates compare it: in lower case, without accents, apostrophes, periods and invisible characters. Compatibility
 * forms become plain ones (full width, ligatures), and letters that have no accent to lose what others write for them (ae for æ, o for ø,
 * ss for ß). A period between words of several letters parts them (Monkey.D.Luffy), and J.R. stays jr. The SQL function `fold_text` does the same.
 */
export const foldText = (text: string): string =>
  text
    .replace(
      /(?<=[A-Za-z\u00c0-\u024f]{2})\.(?=[A-Za-z\u00c0-\u024f])|(?<=[A-Za-z\u00c0-\u024f])\.(?=[A-Za-z\u00c0-\u024f]{2})/g,
      ' ',
    )
    .replace(/[™℠]/g, ' ')
    .replaceAll('´', "'")
    .normalize('NFKD')
    .replace(dropped, '')
    .toLowerCase()
    .replace(unaccented, (letter) => plain[letter] ?? letter)
    .replaceAll('l·l', 'll')
    .normalize('NFC')

const apostrophes = "'.`ʹʻʼʽˈˊˋꞌ‘’‛′׳"
const accents =
  '\\u0300-\\u036f\\u0483-\\u0489\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a\\u0640\\u064b-\\u065f\\u0670\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe20-\\ufe2f'
const invisible =
  '\\u00ad\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufe00-\\ufe0f\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e0fff}'
const dropped = new RegExp(`[${apostrophes}${accents}${invisible}]+`, 'gu')

/** A text without invisible characters and with every dash as a hyphen, for what is compared as it is typed, such as card numbers. */
export const withPlainDashes = (text: string): string => text.replace(invisibles, '').replace(dashes, '-')

const invisibles = new RegExp(`[${invisible}]+`, 'gu')
const dashes =
  /[\u058a\u05be\u1400\u1806\u2010-\u2015\u2053\u207b\u208b\u2212\u2e17\u2e1a\u2e3a\u2e3b\u2e40\u301c\u3030\u30a0\ufe58\ufe63\uff0d]/g

const plain: Record<string, string> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ı: 'i',
  ς: 'σ',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  þ: 'th',
}
const unaccented = new RegExp(`[${Object.keys(plain).join('')}]`, 'g')
