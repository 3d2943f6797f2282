import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startChromium, whereChromiumIs } from '../test/support/pages/chromium.ts'

/** Draws the pictures of the demo's cards (db/demo/images): our own patterns with a number and a name, not photographs. */
const folder = join(import.meta.dir, '../db/demo/images')

type Drawing = { file: string; number: string; name: string; hue: number; isFoil?: boolean; isBack?: boolean }

const drawings: Drawing[] = [
  { file: '96', number: '96', name: 'Cal Ripken', hue: 18 },
  { file: '103', number: '103', name: 'Barry Bonds', hue: 32 },
  { file: '107', number: '107', name: 'Nolan Ryan', hue: 220 },
  { file: '110', number: '110', name: 'Ken Griffey Jr.', hue: 178 },
  { file: '110-back', number: '110', name: 'Ken Griffey Jr.', hue: 178, isBack: true },
  { file: '110-refractor', number: '110', name: 'Ken Griffey Jr.', hue: 178, isFoil: true },
]

/** Small, so that the quickstart can make their variants right away. */
const [width, height] = [320, 448]

/** Rings around the corner of a diamond, as on a field. */
const rings = (hue: number) =>
  Array.from({ length: 9 }, (_, at) => {
    const light = 30 + at * 5
    return `<circle cx="200" cy="470" r="${420 - at * 44}" fill="hsl(${hue + at * 3} 55% ${light}%)"/>`
  }).join('')

const foil = `<linearGradient id="foil" x1="0" y1="0" x2="1" y2="1">${['#f6c', '#fd6', '#6fc', '#6cf', '#c8f', '#f6c']
  .map((color, at) => `<stop offset="${at / 5}" stop-color="${color}"/>`)
  .join('')}</linearGradient>`

const front = ({ number, name, hue, isFoil }: Drawing) => `
  <defs>${foil}<clipPath id="frame"><rect x="22" y="22" width="356" height="446" rx="10"/></clipPath></defs>
  <rect width="400" height="560" rx="20" fill="#fdfcf8"/>
  <g clip-path="url(#frame)">
    <rect width="400" height="480" fill="hsl(${hue} 55% 24%)"/>${rings(hue)}
    <path d="M200 262 L304 366 L200 470 L96 366 Z" fill="none" stroke="#fff" stroke-opacity="0.7" stroke-width="5"/>
    ${isFoil ? '<rect width="400" height="480" fill="url(#foil)" opacity="0.5"/>' : ''}
  </g>
  <text x="200" y="180" text-anchor="middle" font-size="104" font-weight="800" fill="#fff" letter-spacing="-4">${number}</text>
  <text x="200" y="522" text-anchor="middle" font-size="31" font-weight="700" fill="#1b1f24">${name}</text>`

const back = ({ number, name, hue }: Drawing) => `
  <rect width="400" height="560" rx="20" fill="#fdfcf8"/>
  <rect x="22" y="22" width="356" height="120" rx="10" fill="hsl(${hue} 55% 32%)"/>
  <text x="44" y="98" font-size="46" font-weight="800" fill="#fff">${number}</text>
  <text x="356" y="94" text-anchor="end" font-size="27" font-weight="700" fill="#fff">${name}</text>
  ${Array.from({ length: 9 }, (_, at) => `<rect x="44" y="${182 + at * 34}" width="${at % 3 === 2 ? 200 : 312}" height="12" rx="6" fill="hsl(${hue} 12% 84%)"/>`).join('')}
  <text x="200" y="530" text-anchor="middle" font-size="16" fill="#59616b">drawn for the demo of Cardstock</text>`

const chromium = whereChromiumIs()
if (!chromium)
  throw new Error('The pictures are drawn by Chromium. Run apt-get install chromium, or set CHROMIUM to its path.')
mkdirSync(folder, { recursive: true })
const browser = await startChromium(chromium)
const page = await browser.newPage()
await page.setViewport({ width, height })
for (const drawing of drawings) {
  const inner = drawing.isBack ? back(drawing) : front(drawing)
  await page.setContent(
    `<body style="margin:0"><svg width="${width}" height="${height}" viewBox="0 0 400 560" font-family="Inter, sans-serif">${inner}</svg>`,
  )
  const png = await page.screenshot({ omitBackground: true })
  const webp = await new Bun.Image(png).webp({ quality: 72 }).bytes()
  await Bun.write(join(folder, `${drawing.file}.webp`), webp)
}
await browser.close()
