import { describe, expect, test } from 'bun:test'
import { isIP } from 'node:net'
import { addressesOf, isPublic } from '../../../src/webhooks/deliveries/address.ts'

const unresolved = async () => {
  throw new Error('Nothing is to be resolved.')
}

/** The address that a URL's host is, as the service sees it. */
const addressIn = async (url: string) => (await addressesOf(new URL(url).hostname, unresolved))[0] ?? ''

describe('a disguise of an address that isn’t public is refused', () => {
  test.each([
    ...[
      'http://127.0.0.1',
      'http://127.1',
      'http://2130706433',
      'http://0x7f000001',
      'http://0177.0.0.1',
      'http://0x7f.1',
    ],
    ...['http://１２７.０.０.１', 'http://127。0。0。1', 'http://0', 'http://0.0.0.0', 'http://127.255.255.254'],
    ...['http://10.0.0.1', 'http://012.0.0.1', 'http://172.16.0.1', 'http://172.31.255.255', 'http://192.168.1.1'],
    ...['http://169.254.169.254', 'http://2852039166', 'http://100.64.0.1', 'http://100.127.255.255'],
    ...['http://192.0.0.1', 'http://192.0.2.1', 'http://198.18.0.1', 'http://198.51.100.1', 'http://203.0.113.1'],
    ...['http://224.0.0.1', 'http://240.0.0.1', 'http://255.255.255.255', 'http://192.88.99.1'],
    ...[
      'http://[::]',
      'http://[::1]',
      'http://[0:0:0:0:0:0:0:1]',
      'http://[::ffff:127.0.0.1]',
      'http://[::ffff:7f00:1]',
    ],
    ...['http://[::ffff:8.8.8.8]', 'http://[::127.0.0.1]', 'http://[64:ff9b::7f00:1]', 'http://[64:ff9b:1::1]'],
    ...['http://[fe80::1]', 'http://[fc00::1]', 'http://[fd00:ec2::254]', 'http://[fec0::1]', 'http://[ff02::1]'],
    ...['http://[2002:7f00:1::]', 'http://[2001:0:7f00:1::]', 'http://[2001:db8::1]', 'http://[2001:20::1]'],
    ...['http://[3fff::1]', 'http://[100::1]', 'http://[4000::1]', 'http://[5f00::1]'],
  ])('%s', async (url) => {
    const address = await addressIn(url)
    expect(isIP(address)).not.toBe(0)
    expect(isPublic(address)).toBe(false)
  })
})

test.each([
  ...['http://8.8.8.8', 'http://134744072', 'http://1.1.1.1', 'http://172.32.0.1', 'http://100.128.0.1'],
  ...['http://[2606:4700::1111]', 'http://[2a00:1450:4001::1]', 'http://[2001:4860:4860::8888]'],
])('a public address is sent to: %s', async (url) => {
  expect(isPublic(await addressIn(url))).toBe(true)
})

test('an address with a zone, and what is no address, are refused', () => {
  expect(['fe80::1%eth0', '2606:4700::1111%1', 'localhost', ''].map(isPublic)).toEqual([false, false, false, false])
})
