import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../ports/index.ts'
import { hideSecrets, replaceSecrets, findPlaceholders } from './hide-secrets.ts'

describe('a secret of an access configuration', () => {
  it.each([
    'apiKey',
    'api_key',
    'key',
    'accessKeyId',
    'secretAccessKey',
    'CLIENT_SECRET',
    'token',
    'refreshToken',
    'password',
    'passphrase',
    'pwd',
    'credentials',
    'authorization',
    'Authorisation',
    'bearer',
    'cookie',
    'x-signature',
    'privateThing',
    'dsn',
    'connectionString',
    'connection_string',
    'x-auth',
    'proxyAuth',
    'headers',
    'header',
  ])('is any text in a member %s, at any depth', (name) => {
    const members = { a: 'shown', [name]: 'CANARY', in: [{ [name]: { deep: ['CANARY', { x: 'CANARY' }] } }] }
    expect(hideSecrets(members)).toEqual({
      a: 'shown',
      [name]: '***',
      in: [{ [name]: { deep: ['***', { x: '***' }] } }],
    })
  })

  it.each([
    'postgres://ada:CANARY@db.example/quire',
    'https://CANARY@api.example/v1',
    'redis://:CANARY@cache:6379',
  ])('is a URL with a user name, in any member: %s', (address) => {
    expect(hideSecrets({ endpoint: address, more: [address] })).toEqual({ endpoint: '***', more: ['***'] })
  })

  it('is no other member', () => {
    const members: JsonObject = {
      baseUrl: 'https://api.example/v1/@me',
      organization: 'org-41',
      region: 'eu',
      auth: { kind: 'api_key', headerName: 'X-Thing', username: 'ada' },
      allowedPaths: ['/v1/**'],
      allowedMethods: ['POST'],
      budget: { tokens: 1000, per: 'day' },
      maxTokens: 7,
      useToken: true,
      key: null,
      mail: 'ada@example.org',
    }
    expect(hideSecrets(members)).toEqual(members)
  })

  it('is the secret part of any credentials', () => {
    expect(hideSecrets({ apiKey: 'x', auth: { kind: 'basic', username: 'ada', password: 'x' } })).toEqual({
      apiKey: '***',
      auth: { kind: 'basic', username: 'ada', password: '***' },
    })
    expect(hideSecrets({ auth: { kind: 'bearer', token: 'x' } })).toEqual({
      auth: { kind: 'bearer', token: '***' },
    })
    expect(hideSecrets({ auth: { kind: 'api_key', headerName: 'X-API-Key', key: 'x' } })).toEqual({
      auth: { kind: 'api_key', headerName: 'X-API-Key', key: '***' },
    })
  })

  it('is found if its redacted form is sent back', () => {
    const members = { apiKey: '***', note: '***', auth: { token: '***', key: 'x' }, in: [{ secret: '***' }] }
    expect(findPlaceholders(members)).toEqual(['apiKey', 'auth.token', 'in.0.secret'])
    expect(findPlaceholders({ note: '***' })).toEqual([])
  })

  it('keeps its place, and everything else is unchanged', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (given) => {
        const members: JsonObject = JSON.parse(JSON.stringify(given))
        expect(replaceSecrets(members, (text) => text)).toEqual(members)
        const redacted = hideSecrets(members)
        expect(hideSecrets(redacted)).toEqual(redacted)
      }),
    )
  })
})
