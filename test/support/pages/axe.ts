import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'puppeteer-core'

const source = readFileSync(join(import.meta.dir, '../../../node_modules/axe-core/axe.min.js'), 'utf8')

type Violation = { id: string; impact: string; help: string; nodes: { html: string; failureSummary: string }[] }
type Axe = { run: (options: object) => Promise<{ violations: Violation[] }> }

/** The serious and critical faults that axe finds on the page, one line each. Colors are those at the end of a transition. */
export const seriousFaults = async (page: Page): Promise<string[]> =>
  (await violationsOn(page)).filter(({ impact }) => impact === 'serious' || impact === 'critical').flatMap(linesOf)

/** All faults that axe finds on the page, including minor ones. */
export const allFaults = async (page: Page): Promise<string[]> => (await violationsOn(page)).flatMap(linesOf)

const linesOf = ({ id, help, nodes }: Violation) =>
  nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html} ${failureSummary}`)

const violationsOn = async (page: Page) => {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: Axe }
    const still = new CSSStyleSheet()
    still.replaceSync('*, *::before, *::after { transition: none !important }')
    document.adoptedStyleSheets.push(still)
    try {
      return (await axe.run({ resultTypes: ['violations'] })).violations
    } finally {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== still)
    }
  })
}
