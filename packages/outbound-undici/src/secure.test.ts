import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { describe, expect, it, vi } from 'vitest'
import { certificate } from '../test/certificate.ts'
import { failure } from '../test/failure.ts'
import { aRequest, aSecureSink } from '../test/sink.ts'
import { undiciOutbound } from './undici-outbound.ts'

const outbound = undiciOutbound({ allow: ['127.0.0.0/8'], lookup: async () => ['127.0.0.1'] })

describe('over TLS', () => {
  it('an untrusted certificate is rejected, whatever the environment says', async () => {
    const sink = await aSecureSink(certificate)
    const url = `https://sink.example:${sink.port}`
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    try {
      const { problem, message } = await failure(outbound.send(aRequest(url)))
      expect([problem, message]).toEqual([
        'unreachable',
        '"sink.example" cannot be reached: its certificate is self-signed.',
      ])
    } finally {
      vi.unstubAllEnvs()
    }
    expect(sink.hits).toEqual([])
  })

  it('a trusted certificate is accepted for its own name only', async () => {
    setDefaultCACertificates([...getCACertificates('default'), certificate.cert])
    const names: unknown[] = []
    const sink = await aSecureSink(certificate, (_, response) => {
      names.push((response.req.socket as TLSSocket).servername)
      response.end('ok')
    })
    const named = `https://sink.example:${sink.port}`
    expect((await outbound.send(aRequest(named))).status).toBe(200)
    expect((await outbound.send(aRequest(named))).status).toBe(200)
    expect([names, sink.connections()]).toEqual([['sink.example', 'sink.example'], 1])
    expect(sink.hits[0]?.headers[0]).toBe(`host: sink.example:${sink.port}`)
    const { problem, message } = await failure(outbound.send(aRequest(named.replace('sink.', 'other.'))))
    expect([problem, message]).toEqual([
      'unreachable',
      '"other.example" cannot be reached: its certificate is for another name.',
    ])
    expect((await outbound.send(aRequest(named.replace('example', 'example.')))).status).toBe(200)
    expect((await failure(outbound.send(aRequest(`https://127.0.0.1:${sink.port}`)))).problem).toBe(
      'unreachable',
    )
  })
})
