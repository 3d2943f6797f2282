import { expect, test } from 'bun:test'
import { madeFiles } from '../../scripts/docs.ts'

test.each(await madeFiles())(
  'what is made in $path is what the code says: bun run docs writes it',
  ({ written, wanted }) => {
    expect(written).toBe(wanted)
  },
)
