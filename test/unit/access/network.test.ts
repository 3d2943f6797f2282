import { expect, test } from 'bun:test'
import { networkOf } from '../../../src/access/network.ts'

test('IPv4 counts by the address, also in the clothes of IPv6', () => {
  expect(networkOf('203.0.113.7')).toBe('203.0.113.7')
  expect(networkOf('::ffff:203.0.113.7')).toBe('203.0.113.7')
  expect(networkOf('::FFFF:cb00:7107')).toBe('203.0.113.7')
  expect(networkOf('203.0.113.8')).not.toBe(networkOf('203.0.113.7'))
})

test('IPv6 counts by its /64, in one spelling', () => {
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
  expect(networkOf('2001:0DB8:0001:0002::1')).toBe('2001:db8:1:2::/64')
  expect(networkOf('2001:db8:1:3::1')).toBe('2001:db8:1:3::/64')
  expect(networkOf('2001:db8::1')).toBe('2001:db8::/64')
  expect(networkOf('2001:db8:0:0:ffff::')).toBe('2001:db8::/64')
  expect(networkOf('2001:0:0:5::1')).toBe('2001:0:0:5::/64')
  expect(networkOf('0:0:0:5::1')).toBe('0:0:0:5::/64')
  expect(networkOf('fe80::1%eth0')).toBe('fe80::/64')
  expect(networkOf('::1')).toBe('::/64')
  expect(networkOf('::')).toBe('::/64')
  expect(networkOf('1:2:3:4:5:6:7::')).toBe('1:2:3:4::/64')
})

test('what is no address stays as it is', () => {
  expect(networkOf('unknown')).toBe('unknown')
  expect(networkOf('')).toBe('')
})
