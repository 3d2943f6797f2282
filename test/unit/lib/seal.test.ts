import { expect, test } from 'bun:test'
import { sealer } from '../../../src/lib/seal.ts'

const { seal, unseal } = sealer('a secret', 'letters')

test('what is sealed comes back, and is sealed differently each time', () => {
  expect(unseal(seal('Grüße, 世界'))).toBe('Grüße, 世界')
  expect(unseal(seal(''))).toBe('')
  expect(seal('same')).not.toBe(seal('same'))
})

test('nothing comes back under another secret, for another purpose, or of what was changed', () => {
  const sealed = seal('a letter')
  expect(sealer('another secret', 'letters').unseal(sealed)).toBeUndefined()
  expect(sealer('a secret', 'cards').unseal(sealed)).toBeUndefined()
  const bytes = Buffer.from(sealed, 'base64')
  for (const at of [0, 12, bytes.length - 1]) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(unseal(changed.toString('base64'))).toBeUndefined()
  }
  expect(unseal('short')).toBeUndefined()
})
