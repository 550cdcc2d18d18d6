import { describe, expect, it, vi } from 'vitest'
import { failure } from '../test/failure.ts'
import { aRequest, aSink } from '../test/sink.ts'
import type { Lookup } from './lookup.ts'
import { undiciOutbound } from './undici-outbound.ts'

/**
 * Addresses that look public but are not: TRUST S01 and similar ones. `P` is the port of a sink
 * that listens there.
 */
const inward = [
  'http://127.0.0.1:P',
  'http://127.1:P',
  'http://127.0.0.1.:P',
  'http://2130706433:P',
  'http://017700000001:P',
  'http://0x7f000001:P',
  'http://0x7f.1:P',
  'http://0177.0.0.1:P',
  'http://%31%32%37.0.0.1:P',
  'http://①②⑦.⓪.⓪.①:P',
  'http://0:P',
  'http://0.0.0.0:P',
  'http://[::1]:P',
  'http://[::]:P',
  'http://[::127.0.0.1]:P',
  'http://[::ffff:127.0.0.1]:P',
  'http://[::ffff:7f00:1]:P',
  'http://[::ffff:0:127.0.0.1]:P',
  'http://[64:ff9b::7f00:1]:P',
  'http://[64:ff9b::127.0.0.1]:P',
  'http://[64:ff9b:1::7f00:1]:P',
  'http://[2002:7f00:1::]:P',
  'http://[fe80::1]:P',
  'http://[fd00::1]:P',
  'http://169.254.169.254/',
  'http://168.63.129.16/',
  'http://10.0.0.1',
  'http://172.16.0.1',
  'http://192.168.1.1',
  'http://100.64.0.1',
  'http://224.0.0.1',
  'http://255.255.255.255',
  'http://localhost:P',
  'http://localhost.:P',
  'http://LOCALHOST:P',
  'http://sub.localhost:P',
  'http://127.0.0.1:P\\@public.example@',
  'https://127.0.0.1:P',
]

/** Invalid addresses, wherever they lead. */
const malformed = [
  'file:///etc/passwd',
  'gopher://127.0.0.1:P/_x',
  'ftp://127.0.0.1:P',
  'ws://127.0.0.1:P',
  'unix:/var/run/docker.sock',
  'data:text/plain,x',
  'javascript:alert(1)',
  'http://a@127.0.0.1:P',
  'http://a:b@public.example:P',
  'http://:b@public.example:P',
  'http://[fe80::1%25eth0]:P',
  'http://exa mple.com',
  'http://127.0.0.1\n:P',
  '\thttp://127.0.0.1:P',
  'http://',
  'http://256.256.256.256',
  'http://public.example:99999',
  '//127.0.0.1:P',
  '/etc/passwd',
  '',
]

describe('an address that is not public', () => {
  it.each(inward)('%s is refused, and nothing arrives there', async (url) => {
    const sinks = [await aSink(), await aSink(undefined, '0.0.0.0')]
    const outbound = undiciOutbound()
    for (const sink of sinks) {
      const address = url.replace('P', String(sink.port))
      expect(outbound.problemOf(address)).toContain('not at a public address')
      const { problem, message } = await failure(outbound.send(aRequest(address)))
      expect([problem, message]).toEqual(['refused', outbound.problemOf(address)])
      expect(sink.connections()).toBe(0)
    }
  })
})

describe('an invalid address', () => {
  it.each(malformed)('%j is refused, even when everything is allowed', async (url) => {
    const sink = await aSink()
    const outbound = undiciOutbound({
      allow: ['0.0.0.0/0', '::/0', 'public.example'],
      lookup: async () => ['127.0.0.1'],
    })
    const address = url.replace('P', String(sink.port))
    expect(outbound.problemOf(address)).toMatch(/^A URL /)
    expect((await failure(outbound.send(aRequest(address)))).problem).toBe('refused')
    expect(sink.connections()).toBe(0)
  })
})

describe('a name', () => {
  it.each([
    [['127.0.0.1']],
    [['::ffff:127.0.0.1']],
    [['::1']],
    [['64:ff9b::7f00:1']],
    [['fe80::1%eth0']],
    [['93.184.216.34', '127.0.0.1']],
    [['127.0.0.1', '93.184.216.34']],
    [['2606:4700::1', '10.0.0.1']],
    [['nonsense']],
  ])('that resolves to %j is refused without revealing the addresses', async (addresses) => {
    const sink = await aSink()
    const outbound = undiciOutbound({ lookup: async () => addresses })
    const url = `http://public.example:${sink.port}/`
    expect(outbound.problemOf(url)).toBeNull()
    const { problem, message } = await failure(outbound.send(aRequest(url)))
    expect([problem, message]).toEqual(['refused', expect.stringContaining('"public.example" is not at')])
    for (const address of addresses) expect(message).not.toContain(address)
    expect(sink.connections()).toBe(0)
  })

  it('that resolves differently after the check is connected to at the checked address', async () => {
    const sink = await aSink()
    const answers = [['192.0.2.1'], ['127.0.0.1']]
    const lookup = vi.fn<Lookup>(async () => answers.shift() ?? ['127.0.0.1'])
    // No machine has an address of TEST-NET-1 (RFC 5737): it stands for a public one that does not
    // respond.
    const outbound = undiciOutbound({ allow: ['192.0.2.0/24'], lookup })
    const url = `http://public.example:${sink.port}/`
    const first = await failure(outbound.send(aRequest(url, { connectMs: 200 })))
    expect(['timeout', 'unreachable']).toContain(first.problem)
    expect(lookup).toHaveBeenCalledTimes(1)
    expect((await failure(outbound.send(aRequest(url)))).problem).toBe('refused')
    expect(lookup).toHaveBeenCalledTimes(2)
    expect(sink.connections()).toBe(0)
  })

  it('that the operator allows may resolve to any address, but only at its port', async () => {
    const sink = await aSink()
    const outbound = undiciOutbound({
      allow: [`engine.internal:${sink.port}`],
      lookup: async () => ['127.0.0.1'],
    })
    expect((await outbound.send(aRequest(`http://engine.internal:${sink.port}/`))).status).toBe(200)
    expect((await failure(outbound.send(aRequest('http://engine.internal:1/')))).problem).toBe('refused')
    expect((await failure(outbound.send(aRequest(`http://other.internal:${sink.port}/`)))).problem).toBe(
      'refused',
    )
  })

  it('is allowed by its address', async () => {
    const sink = await aSink()
    const outbound = undiciOutbound({
      allow: [`127.0.0.1:${sink.port}`],
      lookup: async () => ['127.0.0.1'],
    })
    expect((await outbound.send(aRequest(`http://public.example:${sink.port}/`))).status).toBe(200)
    expect((await outbound.send(aRequest(sink.url))).status).toBe(200)
    expect(outbound.problemOf(`http://localhost:${sink.port}`)).toBeNull()
    expect(outbound.problemOf('http://localhost:1')).toContain('not at a public address')
  })
})

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('%i is returned and not followed', async (status) => {
    const second = await aSink()
    const first = await aSink((_, response) => {
      response.writeHead(status, { location: `${second.url}/x` }).end()
    })
    const outbound = undiciOutbound({ allow: ['127.0.0.1'] })
    const answer = await outbound.send(aRequest(first.url, { method: 'POST', body: 'x' }))
    expect(answer.status).toBe(status)
    expect(answer.headers).toContainEqual(['location', `${second.url}/x`])
    expect(second.connections()).toBe(0)
  })
})

describe('the environment', () => {
  it('adds no proxy, and does not turn off certificate checks', async () => {
    const proxy = await aSink()
    const sink = await aSink()
    for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY']) vi.stubEnv(name, proxy.url)
    vi.stubEnv('NODE_USE_ENV_PROXY', '1')
    try {
      const outbound = undiciOutbound({ allow: ['127.0.0.1'] })
      expect((await outbound.send(aRequest(sink.url))).status).toBe(200)
      expect([proxy.connections(), sink.connections()]).toEqual([0, 1])
    } finally {
      vi.unstubAllEnvs()
    }
  })
})

describe('a header', () => {
  it.each([
    ['Host', 'evil.example'],
    ['host', 'evil.example'],
    ['Content-Length', '0'],
    ['Transfer-Encoding', 'chunked'],
    ['Connection', 'close'],
    ['Keep-Alive', 'timeout=5'],
    ['Proxy-Authorization', 'Basic eA=='],
    ['Proxy-Connection', 'close'],
    ['TE', 'trailers'],
    ['Trailer', 'x'],
    ['Upgrade', 'h2c'],
    ['HTTP2-Settings', 'x'],
    ['Expect', '100-continue'],
    ['', 'x'],
    ['X Y', 'x'],
    ['X:', 'x'],
    ['X\r\nX-Evil', '1'],
    ['Xé', 'x'],
    ['X', 'x\r\nX-Evil: 1'],
    ['X', 'x\nX-Evil: 1'],
    ['X', 'x\rX-Evil: 1'],
    ['X', 'x\0'],
    ['X', 'x\u007f'],
    ['X', 'x\r\n\r\nGET /second HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['X', 'é'],
    ['X', '\u560a\u560dX-Evil: 1'],
    ['X', '💥'],
  ])('%j: %j is refused, and nothing is sent', async (name, value) => {
    const sink = await aSink()
    const outbound = undiciOutbound({ allow: ['127.0.0.1'] })
    const headers = [['X-Fine', '1'] as const, [name, value] as const]
    const { problem, message } = await failure(outbound.send(aRequest(sink.url, { headers })))
    expect([problem, message]).toEqual(['refused', expect.stringMatching(/header/)])
    expect(message).not.toMatch(/[\r\n\0]/)
    expect(sink.connections()).toBe(0)
  })
})

it.each(['', 'GET /x HTTP/1.1\r\n', 'CONNECT', 'connect', 'G T', 'GÉT'])(
  'refuses the method %j',
  async (method) => {
    const sink = await aSink()
    const outbound = undiciOutbound({ allow: ['127.0.0.1'] })
    const { problem, message } = await failure(outbound.send(aRequest(sink.url, { method })))
    expect([problem, message]).toEqual(['refused', expect.stringContaining('is not a method')])
    expect(sink.connections()).toBe(0)
  },
)
