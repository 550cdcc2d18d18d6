import { describe, expect, it } from 'vitest'
import { parseAddress } from './addresses.ts'
import { allowanceOf, parseEgressAllow } from './allowance.ts'

function allows(entry: string, host: string, port = 80): boolean {
  const allowance = allowanceOf([entry])
  const address = parseAddress(host)
  return address ? allowance.hasAddress(address, port) : allowance.hasName(host, port)
}

describe('an entry', () => {
  it.each([
    ['engine.internal', 'engine.internal', 8080],
    ['Engine.Internal', 'engine.internal', 80],
    ['engine.internal.', 'engine.internal', 80],
    ['engine.internal', 'engine.internal.', 80],
    ['bücher.example', 'xn--bcher-kva.example', 80],
    ['engine.internal:8080', 'engine.internal', 8080],
    ['engine.internal:80', 'engine.internal', 80],
    ['localhost', 'localhost', 3000],
    ['10.1.2.3', '10.1.2.3', 9000],
    ['10.1.2.3', '::ffff:10.1.2.3', 9000],
    ['10.1.2.3:9000', '10.1.2.3', 9000],
    ['127.1', '127.0.0.1', 80],
    ['::1', '::1', 80],
    ['[::1]', '::1', 80],
    ['[::1]:8080', '::1', 8080],
    ['[::ffff:10.1.2.3]', '10.1.2.3', 80],
    ['10.0.0.0/8', '10.255.0.1', 80],
    ['10.0.0.0/8', '64:ff9b::a00:1', 80],
    ['64:ff9b::/96', '64:ff9b::a00:1', 80],
    ['10.1.2.3/32', '10.1.2.3', 80],
    ['0.0.0.0/0', '127.0.0.1', 80],
    ['fd00::/8', 'fd12::1', 80],
    ['fe80::/10', 'fe80::1%eth0', 80],
  ])('%s allows %s at %i', (entry, host, port) => expect(allows(entry, host, port)).toBe(true))

  it.each([
    ['engine.internal', 'other.internal', 80],
    ['engine.internal', 'a.engine.internal', 80],
    ['internal', 'engine.internal', 80],
    ['engine.internal:8080', 'engine.internal', 80],
    ['10.1.2.3:9000', '10.1.2.3', 9001],
    ['10.1.2.3', '10.1.2.4', 80],
    ['10.0.0.0/8', '11.0.0.1', 80],
    ['10.0.0.0/8', 'a00::1', 80],
    ['::/0', '127.0.0.1', 80],
    ['fd00::/8', 'fc00::1', 80],
  ])('%s does not allow %s at %i', (entry, host, port) => expect(allows(entry, host, port)).toBe(false))
})

describe('a list of entries', () => {
  it('is separated by commas, with spaces around', () => {
    expect(parseEgressAllow(' engine.internal:8080 ,10.0.0.0/8,, [fd00::1] ')).toEqual([
      'engine.internal:8080',
      '10.0.0.0/8',
      '[fd00::1]',
    ])
    expect(parseEgressAllow('')).toEqual([])
  })

  it.each([
    'http://engine.internal',
    'engine.internal/hook',
    'a@engine.internal',
    '*.internal',
    '*',
    'engine.internal:0',
    'engine.internal:65536',
    'engine.internal:',
    'engine.internal:http',
    'two words',
    '10.0.0.0/33',
    '10.0.0/8',
    '10/8',
    '10.0.0.0/8:80',
    '10.0.0.0/',
    'fd00::/129',
    '[fd00::1',
    'fd00::1]:80',
    '1.2.3.4.5',
    '?',
    '#',
  ])('reports the invalid %j', (entry) => {
    expect(() => parseEgressAllow(`engine.internal,${entry}`)).toThrow(TypeError)
    expect(() => parseEgressAllow(`engine.internal,${entry}`)).toThrow(`"${entry}" is neither`)
    expect(() => allowanceOf([entry])).toThrow(`"${entry}" is neither`)
  })
})
