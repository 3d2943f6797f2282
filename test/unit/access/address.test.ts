import { describe, expect, test } from 'bun:test'
import { trustProxies } from '../../../src/access/address.ts'

describe('the client address', () => {
  const behind = trustProxies(['10.0.0.0/8', '192.0.2.1', 'fd00::/8'])

  test('is the socket’s where no proxy is trusted', () => {
    expect(trustProxies([])('203.0.113.9', '198.51.100.1')).toBe('203.0.113.9')
  })
  test('is the socket’s where the peer is not a trusted proxy', () => {
    expect(behind('203.0.113.9', '198.51.100.1')).toBe('203.0.113.9')
  })
  test('is the right-most untrusted one behind trusted proxies, whatever a client wrote before it', () => {
    expect(behind('10.0.0.1', '1.1.1.1, 198.51.100.7, 10.2.3.4')).toBe('198.51.100.7')
    expect(behind('192.0.2.1', '198.51.100.7')).toBe('198.51.100.7')
  })
  test('is the left-most one where all are trusted', () => {
    expect(behind('10.0.0.1', '10.0.0.9, 10.0.0.8')).toBe('10.0.0.9')
  })
  test('stops at what is no address', () => {
    expect(behind('10.0.0.1', '198.51.100.7, nonsense, 10.0.0.3')).toBe('10.0.0.3')
    expect(behind('10.0.0.1', 'nonsense')).toBe('10.0.0.1')
    expect(behind('10.0.0.1', '')).toBe('10.0.0.1')
  })
  test('has one spelling in IPv6, without brackets, port and zone', () => {
    expect(behind('fd00::1', '[2001:0DB8:0:0::0001]:443')).toBe('2001:db8::1')
    expect(trustProxies([])('fe80::1%eth0', null)).toBe('fe80::1')
  })
  test('is IPv4 where it came as IPv4 in IPv6', () => {
    expect(trustProxies([])('::ffff:203.0.113.9', null)).toBe('203.0.113.9')
    expect(behind('::ffff:10.0.0.1', '198.51.100.7:5123')).toBe('198.51.100.7')
  })
  test('is unknown where the peer has none', () => {
    expect(trustProxies([])('', null)).toBe('unknown')
  })
})
