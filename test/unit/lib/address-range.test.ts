import { expect, test } from 'bun:test'
import { isAddressRange } from '../../../src/lib/setting.ts'

test('an address or a CIDR is a range, and nothing else', () => {
  for (const good of ['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8', '0.0.0.0/0']) expect(isAddressRange(good)).toBe(true)
  for (const bad of ['', 'proxy', '10.0.0.0/33', '10.0.0.0/', '::/129', '10.0.0.0/8/8', '10.0.0'])
    expect(isAddressRange(bad)).toBe(false)
})
