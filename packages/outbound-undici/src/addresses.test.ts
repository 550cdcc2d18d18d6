import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPublic, parseAddress, reachedBy } from './addresses.ts'

const isPublicText = (text: string) => {
  const address = parseAddress(text)
  return address !== null && isPublic(address)
}

describe('a public address', () => {
  it.each([
    '1.1.1.1',
    '93.184.216.34',
    '100.63.255.255',
    '172.32.0.1',
    '192.167.1.1',
    '223.255.255.254',
    '2606:4700:4700::1111',
    '2a00:1450:4001:801::200e',
    '::ffff:1.1.1.1',
    '64:ff9b::101:101',
  ])('is %s', (text) => expect(isPublicText(text)).toBe(true))

  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '168.63.129.16',
    '::',
    '::1',
    '::7f00:1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:a9fe:a9fe',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::101:101',
    '100::1',
    '2001::1',
    '2001:2::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:101:101::',
    '3fff::1',
    '4000::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fe80::1%br-lan.7',
    'fec0::1',
    'ff02::1',
    '',
    'localhost',
    '127.1',
    '2130706433',
    '0x7f.1',
  ])('is not %j', (text) => expect(isPublicText(text)).toBe(false))

  it('is public in every notation of IPv4 inside IPv6', () => {
    fc.assert(
      fc.property(fc.ipV4(), (text) => {
        expect(isPublicText(`::ffff:${text}`)).toBe(isPublicText(text))
        expect(isPublicText(`64:ff9b::${text}`)).toBe(isPublicText(text))
      }),
    )
  })
})

it.each([
  ['::ffff:127.0.0.1', '127.0.0.1'],
  ['64:ff9b::7f00:1', '127.0.0.1'],
  ['2606:4700::1', '2606:4700::1'],
  ['1.1.1.1', '1.1.1.1'],
])('%s reaches %s', (text, reached) => {
  const address = parseAddress(text)
  expect(address && reachedBy(address).toString()).toBe(reached)
})
