import { expect, test } from 'bun:test'
import { packageManager } from '../../package.json'

const dockerfile = await Bun.file(new URL('../../Dockerfile', import.meta.url)).text()

test('the image builds on bases that are named by digest', () => {
  const stages = [...dockerfile.matchAll(/^FROM (\S+)(?: AS (\S+))?$/gm)]
  const names = new Set(stages.map(([, , name]) => name))
  const bases = stages.map(([, base]) => base).filter((base) => !names.has(base))
  expect(bases).not.toBeEmpty()
  for (const base of bases) expect(base).toMatch(/@sha256:[0-9a-f]{64}$/)
})

test('the image is built with the Bun that package.json asks for', () => {
  expect(dockerfile).toContain(`npm install --global ${packageManager}\n`)
})
