import type { Api } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { failing, invalidAt } from '../failing.ts'
import type { Bench } from '../host.ts'
import { echoOf, upstream, type Echoed } from './upstream.ts'

const allMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** Creates an integration for the suite's upstream. */
export async function anIntegration(api: Api, more: object = {}): Promise<string> {
  const { id } = await api.admin.generateKey({
    name: 'Upstream',
    type: 'http',
    baseUrl: `${upstream}/v1/`,
    allowedMethods: [...allMethods],
    allowedPaths: ['/**'],
    ...more,
  })
  return id
}

/** Requests that are proxied to other services. */
export function integrationTests(bench: () => Bench): void {
  describe('a proxied request', () => {
    it.each(allMethods)(
      'with %s arrives with its path, its query string, its headers and its body',
      async (method) => {
        const { api, scope } = bench()
        const { integrations } = api
        const accessId = await anIntegration(api)
        // Node's fetch accepts any language by default.
        const headers = {
          'accept-language': 'de',
          'content-type': 'text/plain',
          'if-none-match': 'W/"1"',
          'idempotency-key': 'once',
        }
        const answer = await integrations.pass({
          accessId,
          path: 'echo/a b/é&?#;=',
          method,
          query: 'q=oak%20tree&flag&q=2',
          headers,
          ...(!['GET', 'HEAD'].includes(method) && { body: new Blob(['acorn']) }),
        })
        expect(answer.status).toBe(200)
        expect(answer.headers).toMatchObject({ 'content-type': 'application/json' })
        const echoed = echoOf(scope.outbound.sent.at(-1))
        expect(await answer.text()).toBe(method === 'HEAD' ? '' : JSON.stringify(echoed))
        expect(echoed).toMatchObject({
          method,
          url: `${upstream}/v1/echo/a%20b/%C3%A9%26%3F%23%3B%3D?q=oak%20tree&flag&q=2`,
          body: ['GET', 'HEAD'].includes(method) ? '' : 'acorn',
        })
        expect(echoed.headers).toEqual({
          accept: '*/*',
          ...headers,
        })
      },
    )

    it('has a content type for its body if no header gives one', async () => {
      const accessId = await anIntegration(bench().api)
      const body = new Blob(['{}'], { type: 'application/json' })
      const { json } = await passing(bench(), { accessId, path: 'echo', method: 'POST', body })
      expect((await json()).headers).toMatchObject({ 'content-type': 'application/json' })
    })

    it.each([
      [{ apiKey: 'sk-1' }, 'authorization', 'Bearer sk-1'],
      [{ auth: { kind: 'basic', username: 'ada', password: 'x:y' } }, 'authorization', 'Basic YWRhOng6eQ=='],
      [{ auth: { kind: 'api_key', headerName: 'If-Match', key: 'k' } }, 'If-Match', 'k'],
    ] as const)('carries what the upstream is opened with: %j', async (more, name, value) => {
      const accessId = await anIntegration(bench().api, more)
      const headers = { 'if-match': '"mine"' }
      const { json } = await passing(bench(), { accessId, path: 'echo', method: 'GET', headers })
      const came = (await json()).headers
      expect(came[name]).toBe(value)
      expect(came['if-match']).toBe(name === 'If-Match' ? undefined : '"mine"')
    })

    it('goes to the base address when it has no path', async () => {
      const accessId = await anIntegration(bench().api, { baseUrl: `${upstream}/echo` })
      const { json } = await passing(bench(), { accessId, path: '', method: 'GET' })
      expect((await json()).url).toBe(`${upstream}/echo/`)
    })

    it.each([
      ['path', '../admin'],
      ['path', 'a/../../admin'],
      ['path', 'a/./b'],
      ['path', '/sink2'],
      ['path', 'a//b'],
      ['path', 'http://sink2/'],
      ['path', 'a\\b'],
      ['path', '%2e%2e/admin'],
      ['path', 'a%2Fb'],
      ['path', 'a\nb'],
      ['path', 'x'.repeat(2001)],
      ['query', 'a#b'],
      ['query', 'a b'],
      ['query', 'ü'],
      ['headers', { cookie: 'token=1' }],
      ['headers', { authorization: 'Bearer 1' }],
      ['headers', { host: 'sink2' }],
      ['headers', { 'x-forwarded-for': '1.2.3.4' }],
      ['headers', { accept: 'a\r\nb: c' }],
      ['method', 'TRACE'],
      ['method', undefined],
      ['body', 'text'],
    ])('with %s %j is refused and not sent', async (member, value) => {
      const { api, scope } = bench()
      const accessId = await anIntegration(api)
      const input = { accessId, path: 'echo', method: 'POST', [member]: value }
      const before = scope.outbound.sent.length
      const [path] = await invalidAt(api.integrations.pass(input as never))
      expect(path?.split('.')[0]).toMatch(new RegExp(`^(?:${member}|file)$`))
      expect(scope.outbound.sent.length).toBe(before)
    })

    it('with more bytes than allowed is too large', async () => {
      const accessId = await anIntegration(bench().api, { maxBytes: 10 })
      const input = { accessId, path: 'echo', method: 'POST', body: new Blob(['x'.repeat(11)]) } as const
      await failing(bench().api.integrations.pass(input), 'too_large')
      const fits = await bench().api.integrations.pass({
        ...input,
        path: 'long/10',
        body: new Blob(['x'.repeat(10)]),
      })
      expect(fits.status).toBe(200)
      expect((await fits.bytes()).length).toBe(10)
    })
  })

  describe('the answer to a proxied request', () => {
    it.each([201, 204, 304, 302, 400, 401, 403, 404, 409, 429, 500, 502, 503])(
      'with status %i is an answer, not an error',
      async (status) => {
        const accessId = await anIntegration(bench().api)
        const answer = await bench().api.integrations.pass({
          accessId,
          path: `status/${status}`,
          method: 'GET',
        })
        expect(answer.status).toBe(status)
        expect(await answer.text()).toBe([204, 304].includes(status) ? '' : `status ${status}`)
      },
    )

    it('has only the headers that may be returned', async () => {
      const accessId = await anIntegration(bench().api)
      const answer = await bench().api.integrations.pass({ accessId, path: 'hostile', method: 'GET' })
      expect(answer.status).toBe(200)
      expect(answer.headers).toEqual({ 'content-type': 'text/html', etag: '"1"' })
      expect(await answer.text()).toBe('<script>alert(1)</script>')
    })

    it('has a default content type if the upstream gives none', async () => {
      const accessId = await anIntegration(bench().api)
      const answer = await bench().api.integrations.pass({ accessId, path: 'bare', method: 'GET' })
      expect(answer.headers).toEqual({ 'content-type': 'application/octet-stream' })
      expect(await answer.text()).toBe('bare')
    })

    it('is read as a stream', async () => {
      const accessId = await anIntegration(bench().api)
      const answer = await bench().api.integrations.pass({ accessId, path: 'long/200000', method: 'GET' })
      let length = 0
      for await (const piece of answer.stream() as unknown as AsyncIterable<Uint8Array>)
        length += piece.length
      expect(length).toBe(200_000)
    })

    it('is cut after the maximum number of bytes, and refused if it declares more', async () => {
      const accessId = await anIntegration(bench().api, { maxBytes: 1000 })
      const { integrations } = bench().api
      const long = integrations.pass({ accessId, path: 'long/1001', method: 'GET' })
      await expect(long.then((answer) => answer.bytes())).rejects.toThrow(/./)
      await failing(integrations.pass({ accessId, path: 'says/1001', method: 'GET' }), 'upstream_failed')
    })

    it.each([
      ['down', 'upstream_failed'],
      ['packed', 'upstream_failed'],
      ['late', 'upstream_timeout'],
    ] as const)('that does not come is an error: %s', async (path, code) => {
      const accessId = await anIntegration(bench().api)
      const error = await failing(bench().api.integrations.pass({ accessId, path, method: 'GET' }), code)
      expect(JSON.stringify(error)).not.toContain('example.com')
    })
  })
}

interface Echoing {
  readonly json: () => Promise<Echoed>
}

async function passing({ api }: Bench, input: Parameters<Api['integrations']['pass']>[0]): Promise<Echoing> {
  const answer = await api.integrations.pass(input)
  return { json: async () => (await answer.json()) as Echoed }
}
