import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'puppeteer-core'

const source = readFileSync(join(import.meta.dir, '../../../node_modules/axe-core/axe.min.js'), 'utf8')

type Violation = { id: string; impact: string; help: string; nodes: { html: string; failureSummary: string }[] }
type Axe = { run: (options: object) => Promise<{ violations: Violation[] }> }

/** The serious and critical faults that axe finds on the page, one line each. Waits for colors to finish fading in. */
export const seriousFaults = async (page: Page): Promise<string[]> =>
  (await violationsOn(page)).filter(({ impact }) => impact === 'serious' || impact === 'critical').flatMap(linesOf)

/** All faults that axe finds on the page, including minor ones. */
export const allFaults = async (page: Page): Promise<string[]> => (await violationsOn(page)).flatMap(linesOf)

const linesOf = ({ id, help, nodes }: Violation) =>
  nodes.map(({ html, failureSummary }) => `${id}: ${help}: ${html} ${failureSummary}`)

const violationsOn = async (page: Page) => {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  await page.evaluate(async () => {
    const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition)
    await Promise.allSettled(transitions.map(({ finished }) => finished))
  })
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: Axe }
    return (await axe.run({ resultTypes: ['violations'] })).violations
  })
}
