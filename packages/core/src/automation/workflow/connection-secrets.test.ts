import type { UpstreamAuth } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { memorySecrets } from '../../memory/secrets.ts'
import type { WorkflowConnectionRecord } from './records.ts'
import {
  changeSecrets,
  replacesAll,
  findLiveSecrets,
  openSecrets,
  sealSecrets,
  secretOf,
  redactSecrets,
  type ConnectionSecrets,
  type SecretsInput,
} from './connection-secrets.ts'

const now = 1_790_000_000_000
const day = 24 * 60 * 60 * 1000

const bearer = { kind: 'bearer', token: 'CANARY-AUTH' } as const
const basic = { kind: 'basic', username: 'quire', password: 'CANARY-AUTH' } as const
const apiKey = { kind: 'api_key', headerName: 'X-Key', key: 'CANARY-AUTH' } as const
const none = { kind: 'none' } as const

const known: ConnectionSecrets = {
  auth: bearer,
  callback: { apiKey: 'CANARY-KEY', signingSecret: 'CANARY-SECRET' },
  before: null,
}

const change = (sent: SecretsInput, before = known, at = now) => changeSecrets(before, sent, at)

describe('the secrets of a connection', () => {
  const sealing = { secrets: memorySecrets() }
  const stored = async (id: string, sealedId = id) => ({
    ...aConnection,
    id,
    sealedSecrets: await sealSecrets(sealing, sealedId, known),
  })

  it('are sealed when stored, and can be opened', async () => {
    const connection = await stored('CONN_1')
    expect(connection.sealedSecrets).not.toContain('CANARY')
    expect(await openSecrets(sealing, connection)).toEqual(known)
  })

  it('cannot be opened for another connection, or with another key', async () => {
    await expect(openSecrets(sealing, await stored('CONN_2', 'CONN_1'))).rejects.toMatchObject({
      name: 'OperationError',
    })
    await expect(openSecrets({ secrets: memorySecrets() }, await stored('CONN_1'))).rejects.toThrow('key')
  })

  it.each<[UpstreamAuth, object, string | null]>([
    [bearer, { kind: 'bearer', token: '***' }, 'CANARY-AUTH'],
    [basic, { kind: 'basic', username: 'quire', password: '***' }, 'CANARY-AUTH'],
    [apiKey, { kind: 'api_key', headerName: 'X-Key', key: '***' }, 'CANARY-AUTH'],
    [none, { kind: 'none' }, null],
  ])('are redacted in %o', (auth, visible, secret) => {
    const callback = { apiKey: '***', signingSecret: '***' }
    expect(redactSecrets({ ...known, auth })).toEqual({ auth: visible, callback })
    expect(secretOf(auth)).toBe(secret)
  })

  it('show which are set', () => {
    const callback = { apiKey: null, signingSecret: 'CANARY-SECRET' }
    expect(redactSecrets({ ...known, callback }).callback).toEqual({ apiKey: null, signingSecret: '***' })
  })
})

describe('secrets that are sent', () => {
  it.each<[string, SecretsInput]>([
    ['nothing', {}],
    ['an empty callback', { callback: {} }],
    ['asterisks', { auth: { ...bearer, token: '***' }, callback: { apiKey: '***', signingSecret: '***' } }],
  ])('keep the stored values with %s', (_name, sent) => {
    expect(change(sent)).toEqual(known)
  })

  it('replace the stored ones', () => {
    const callback = { apiKey: 'another-key', signingSecret: 'another-secret' }
    expect(change({ auth: basic, callback })).toMatchObject({ auth: basic, callback })
  })

  it('keep the secret of the credentials for another kind and another name', () => {
    expect(change({ auth: { kind: 'api_key', headerName: 'X-New', key: '***' } }).auth).toEqual({
      kind: 'api_key',
      headerName: 'X-New',
      key: 'CANARY-AUTH',
    })
    expect(change({ auth: { kind: 'basic', username: 'new', password: '***' } }).auth).toEqual({
      kind: 'basic',
      username: 'new',
      password: 'CANARY-AUTH',
    })
    expect(change({ auth: none }).auth).toEqual(none)
  })
})

describe('all secrets are replaced', () => {
  const callback = { apiKey: null, signingSecret: 'second-secret' }

  it('when no part of them is kept', () => {
    expect(replacesAll({ auth: basic, callback })).toBe(true)
    expect(replacesAll({ auth: none, callback })).toBe(true)
  })

  it.each<[string, SecretsInput]>([
    ['the credentials', { callback }],
    ['the secret of the credentials', { auth: { ...basic, password: '***' }, callback }],
    ['the callback secrets', { auth: basic }],
    ['the key', { auth: basic, callback: { signingSecret: 'second-secret' } }],
    ['the redacted key', { auth: basic, callback: { ...callback, apiKey: '***' } }],
  ])('but not when they keep %s', (_name, sent) => {
    expect(replacesAll(sent)).toBe(false)
  })
})

describe('replaced secrets', () => {
  const first = change({ callback: { apiKey: 'second-key' } })

  it('stay valid for a day, each by itself', () => {
    const until = now + day
    expect(first.before).toEqual({ apiKey: { secret: 'CANARY-KEY', until }, signingSecret: null })
    const both = change({ callback: { apiKey: 'second-key', signingSecret: 'second-secret' } })
    expect(both.before).toEqual({
      apiKey: { secret: 'CANARY-KEY', until },
      signingSecret: { secret: 'CANARY-SECRET', until },
    })
  })

  it('stay valid as long if the other one is replaced within that day', () => {
    const second = change({ callback: { signingSecret: 'second-secret' } }, first, now + 5)
    const live = { apiKey: 'CANARY-KEY', signingSecret: 'CANARY-SECRET' }
    expect(findLiveSecrets(second, now + day - 1)).toEqual([second.callback, live])
    expect(findLiveSecrets(second, now + day)).toEqual([second.callback, { ...live, apiKey: null }])
    const third = change({ auth: none }, second, now + day)
    expect(third.before?.apiKey).toBeNull()
    const gone = change({ callback: { signingSecret: null } }, second, now + 6)
    expect(gone.before).toEqual({ apiKey: second.before?.apiKey, signingSecret: null })
  })

  it('do not include those that are sent unchanged', () => {
    expect(change({ callback: known.callback }).before).toBeNull()
    expect(change({ callback: { apiKey: '***' } }).before).toBeNull()
  })

  it('are invalid at once if the secret is removed, now or while they are still valid', () => {
    expect(change({ callback: { apiKey: null, signingSecret: null } }).before).toBeNull()
    const gone = change({ callback: { apiKey: null } }, first, now + 1)
    expect(gone.before?.apiKey ?? null).toBeNull()
    expect(gone.callback.apiKey).toBeNull()
  })

  it('stay valid after other changes, until their day is over', () => {
    expect(change({ auth: none }, first, now + day - 1).before).toEqual(first.before)
    expect(change({ auth: none }, first, now + day).before).toBeNull()
  })

  it('are only the last ones: secrets that they replaced are invalid', () => {
    const second = change({ callback: { apiKey: 'third-key' } }, first, now + 5)
    const replaced = { secret: 'second-key', until: now + 5 + day }
    expect(second.before).toEqual({ apiKey: replaced, signingSecret: null })
  })
})

const aConnection: WorkflowConnectionRecord = {
  id: 'CONN_1',
  name: 'Engine',
  baseUrl: 'https://engine.example.com',
  callbackBaseUrl: 'https://quire.example.com',
  auth: { kind: 'bearer', token: '***' },
  callback: { apiKey: '***', signingSecret: '***' },
  allowedOrigins: [],
  timeoutMs: 10_000,
  createdDate: now,
  updatedDate: now,
  sealedSecrets: '',
}
