import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { asVariables, palette } from '../../src/lib/palette.ts'

const style = await Bun.file(join(import.meta.dir, '../../src/dashboard/browser/style.css')).text()
const icon = await Bun.file(join(import.meta.dir, '../../src/dashboard/browser/icon.svg')).text()

/** What the first two rules of the root say: those of the light, and those of the dark. */
const [light = '', dark = ''] = [...style.matchAll(/:root \{([^}]*)\}/g)].map(([, rule = '']) => rule)

test('the pages have the colors of the mails and of the API page', () => {
  for (const [rule, colors] of [
    [light, palette.light],
    [dark, palette.dark],
  ] as const)
    for (const line of asVariables(colors).split(/(?<=;) /)) expect(rule).toContain(line)
  expect(icon).toContain(palette.light.accent)
})
