import { expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { commands } from '../../src/commands/index.ts'
import { kitFile, kitFolder } from '../support/kit.ts'

const guide = kitFile('README.md')

test('the guide names every file, and none that is not there', () => {
  const links = [...guide.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target.replace(/#.*/, ''))
  expect(links.filter((target) => !existsSync(join(kitFolder, target)))).toEqual([])
  const entries = readdirSync(kitFolder).filter((name) => name !== 'README.md')
  expect(entries.filter((name) => !links.includes(name))).toEqual([])
})

test('the commands in the guide are commands of the service', () => {
  const known = Object.values(commands).flatMap((some) => some.map(({ name }) => name))
  const used = [...guide.matchAll(/(?:exec \S+(?: --)?|DATA_DIR=\S+) cardstock ([a-z]+(?: [a-z]+)?)/g)].map(
    ([, words]) => words,
  )
  expect(used.length).toBeGreaterThanOrEqual(4)
  for (const words of used) expect(known).toContain(words as string)
})
