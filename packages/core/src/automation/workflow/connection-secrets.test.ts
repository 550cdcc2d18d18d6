import type { UpstreamAuth } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { memorySecrets } from '../../memory/secrets.ts'
import type { WorkflowConnectionRecord } from './records.ts'
import {
  changedSecrets,
  isAllAnew,
  liveSecrets,
  openedSecrets,
  sealedSecrets,
  secretOf,
  redactedSecrets,
  type ConnectionSecrets,
  type SentSecrets,
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

const change = (sent: SentSecrets, before = known, at = now) => changedSecrets(before, sent, at)

describe('the secrets of a connection', () => {
  const sealing = { secrets: memorySecrets() }
  const stored = async (id: string, sealedId = id) => ({
    ...aConnection,
    id,
    sealedSecrets: await sealedSecrets(sealing, sealedId, known),
  })

  it('are kept so that nobody reads them, and open again', async () => {
    const connection = await stored('CONN_1')
    expect(connection.sealedSecrets).not.toContain('CANARY')
    expect(await openedSecrets(sealing, connection)).toEqual(known)
  })

  it('open for no other connection, and under no other key', async () => {
    await expect(openedSecrets(sealing, await stored('CONN_2', 'CONN_1'))).rejects.toMatchObject({
      name: 'OperationError',
    })
    await expect(openedSecrets({ secrets: memorySecrets() }, await stored('CONN_1'))).rejects.toThrow('key')
  })

  it.each<[UpstreamAuth, object, string | null]>([
    [bearer, { kind: 'bearer', token: '***' }, 'CANARY-AUTH'],
    [basic, { kind: 'basic', username: 'quire', password: '***' }, 'CANARY-AUTH'],
    [apiKey, { kind: 'api_key', headerName: 'X-Key', key: '***' }, 'CANARY-AUTH'],
    [none, { kind: 'none' }, null],
  ])('show none of %o', (auth, visible, secret) => {
    const callback = { apiKey: '***', signingSecret: '***' }
    expect(redactedSecrets({ ...known, auth })).toEqual({ auth: visible, callback })
    expect(secretOf(auth)).toBe(secret)
  })

  it('show which there are', () => {
    const callback = { apiKey: null, signingSecret: 'CANARY-SECRET' }
    expect(redactedSecrets({ ...known, callback }).callback).toEqual({ apiKey: null, signingSecret: '***' })
  })
})

describe('secrets that are sent', () => {
  it.each<[string, SentSecrets]>([
    ['nothing', {}],
    ['an empty callback', { callback: {} }],
    ['asterisks', { auth: { ...bearer, token: '***' }, callback: { apiKey: '***', signingSecret: '***' } }],
  ])('keep what there was with %s', (_name, sent) => {
    expect(change(sent)).toEqual(known)
  })

  it('are taken', () => {
    const callback = { apiKey: 'another-key', signingSecret: 'another-secret' }
    expect(change({ auth: basic, callback })).toMatchObject({ auth: basic, callback })
  })

  it('keep the secret of how we say who we are through another kind and another name', () => {
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

describe('secrets are all given anew', () => {
  const callback = { apiKey: null, signingSecret: 'second-secret' }

  it('when no part of them is kept', () => {
    expect(isAllAnew({ auth: basic, callback })).toBe(true)
    expect(isAllAnew({ auth: none, callback })).toBe(true)
  })

  it.each<[string, SentSecrets]>([
    ['how we say who we are', { callback }],
    ['its secret', { auth: { ...basic, password: '***' }, callback }],
    ['what engines are known by', { auth: basic }],
    ['a key', { auth: basic, callback: { signingSecret: 'second-secret' } }],
    ['a key that was shown', { auth: basic, callback: { ...callback, apiKey: '***' } }],
  ])('but not when they keep %s', (_name, sent) => {
    expect(isAllAnew(sent)).toBe(false)
  })
})

describe('secrets that are replaced', () => {
  const first = change({ callback: { apiKey: 'second-key' } })

  it('count for a day more, each for itself', () => {
    const until = now + day
    expect(first.before).toEqual({ apiKey: { secret: 'CANARY-KEY', until }, signingSecret: null })
    const both = change({ callback: { apiKey: 'second-key', signingSecret: 'second-secret' } })
    expect(both.before).toEqual({
      apiKey: { secret: 'CANARY-KEY', until },
      signingSecret: { secret: 'CANARY-SECRET', until },
    })
  })

  it('count as long when the other one is replaced within that day', () => {
    const second = change({ callback: { signingSecret: 'second-secret' } }, first, now + 5)
    const live = { apiKey: 'CANARY-KEY', signingSecret: 'CANARY-SECRET' }
    expect(liveSecrets(second, now + day - 1)).toEqual([second.callback, live])
    expect(liveSecrets(second, now + day)).toEqual([second.callback, { ...live, apiKey: null }])
    const third = change({ auth: none }, second, now + day)
    expect(third.before?.apiKey).toBeNull()
    const gone = change({ callback: { signingSecret: null } }, second, now + 6)
    expect(gone.before).toEqual({ apiKey: second.before?.apiKey, signingSecret: null })
  })

  it('are not the ones that are sent as they are', () => {
    expect(change({ callback: known.callback }).before).toBeNull()
    expect(change({ callback: { apiKey: '***' } }).before).toBeNull()
  })

  it('go at once where they are taken away, now or while they still count', () => {
    expect(change({ callback: { apiKey: null, signingSecret: null } }).before).toBeNull()
    const gone = change({ callback: { apiKey: null } }, first, now + 1)
    expect(gone.before?.apiKey ?? null).toBeNull()
    expect(gone.callback.apiKey).toBeNull()
  })

  it('still count after other changes, until their day is over', () => {
    expect(change({ auth: none }, first, now + day - 1).before).toEqual(first.before)
    expect(change({ auth: none }, first, now + day).before).toBeNull()
  })

  it('are the last ones: what they replaced counts no more', () => {
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
