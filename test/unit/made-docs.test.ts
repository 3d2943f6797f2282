import { expect, test } from 'bun:test'
import { madeFiles } from '../../scripts/docs.ts'

test.each(madeFiles())('the tables of $path are those of the code: bun run docs writes them', ({ written, wanted }) => {
  expect(written).toBe(wanted)
})
