import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { changeSecrets, type ConnectionSecrets } from './connection-secrets.ts'
import { isAuthentic, unknownEngine, type Credentials } from './status.ts'

const now = 1_790_000_000_000
const day = 24 * 60 * 60 * 1000

const secrets: ConnectionSecrets = {
  auth: { kind: 'none' },
  callback: { apiKey: 'key-of-the-engine', signingSecret: 'secret-of-the-engine' },
  before: null,
}

const body = '{"workflowInstanceId":"one","status":"active","currentStep":"legal"}'

/** A signature as engines create it, without the code under test. */
function signed(members: { secret?: string; seconds?: number; text?: string } = {}): string {
  const { secret = 'secret-of-the-engine', seconds = now / 1000, text = body } = members
  const mac = createHmac('sha256', secret).update(`${seconds}.${text}`).digest('hex')
  return `t=${seconds},v1=${mac}`
}

/** Whether a callback with these credentials is accepted. */
function tried(credentials: Partial<Credentials>, known = secrets, at = now): Promise<boolean> {
  return isAuthentic({ now: at }, known, { body, ...credentials })
}

describe('an engine is authenticated', () => {
  it('by its key', async () => {
    expect(await tried({ apiKey: 'key-of-the-engine' })).toBe(true)
  })

  it('by a signature of the text of the body', async () => {
    expect(await tried({ signature: signed() })).toBe(true)
    const text = '{"comment":"Grüße, 世界 👋"}'
    expect(await tried({ signature: signed({ text }), body: text })).toBe(true)
  })

  it('by both', async () => {
    expect(await tried({ apiKey: 'key-of-the-engine', signature: signed() })).toBe(true)
  })

  it('by a signature that is five minutes old or five minutes ahead', async () => {
    for (const seconds of [now / 1000 - 300, now / 1000 + 300])
      expect(await tried({ signature: signed({ seconds }) })).toBe(true)
  })
})

const time = now / 1000
const mac = signed().slice(-64)

describe('an engine is not authenticated', () => {
  it.each<[string, Partial<Credentials>]>([
    ['without credentials', {}],
    ['with an empty key', { apiKey: '' }],
    ['with another key', { apiKey: 'key-of-the-enginf' }],
    ['with the beginning of its key', { apiKey: 'key-of-the-engin' }],
    ['with more than its key', { apiKey: 'key-of-the-engine ' }],
    ['with its secret as a key', { apiKey: 'secret-of-the-engine' }],
    ['with a signature under another secret', { signature: signed({ secret: 'secret-of-another' }) }],
    ['with a signature under its key', { signature: signed({ secret: 'key-of-the-engine' }) }],
    ['301 seconds after it signed', { signature: signed({ seconds: time - 301 }) }],
    ['301 seconds before it signed', { signature: signed({ seconds: time + 301 }) }],
    ['with the time of a signature changed', { signature: `t=${time + 1},v1=${mac}` }],
    ['with one byte of the body changed', { signature: signed(), body: body.replace('legal', 'lagal') }],
    ['with one more byte in the body', { signature: signed(), body: `${body}\n` }],
    [
      'with its JSON formatted differently',
      { signature: signed(), body: JSON.stringify(JSON.parse(body), null, 1) },
    ],
    ['with a signature of the body alone', { signature: `t=${time},v1=${macOfBody()}` }],
    ['with one byte of the signature changed', { signature: `t=${time},v1=${flipped(mac)}` }],
    ['with part of a signature', { signature: signed().slice(0, -1) }],
    ['with a signature and more', { signature: `${signed()},v1=${mac}` }],
    ['with an empty signature', { signature: '' }],
    ['with an invalid time', { signature: `t=now,v1=${mac}` }],
    ['with a signature in capitals', { signature: `t=${time},v1=${mac.toUpperCase()}` }],
    ['with its key and a wrong signature', { apiKey: 'key-of-the-engine', signature: `t=${time},v1=x` }],
    ['with its key and an empty signature', { apiKey: 'key-of-the-engine', signature: '' }],
    ['with a wrong key and its signature', { apiKey: 'key-of-another', signature: signed() }],
  ])('%s', async (_name, credentials) => {
    expect(await tried(credentials)).toBe(false)
  })

  it('by credentials that are not set', async () => {
    const keyless = { ...secrets, callback: { apiKey: null, signingSecret: null } }
    for (const text of ['', 'null', 'false']) expect(await tried({ apiKey: text }, keyless)).toBe(false)
    for (const secret of ['', 'null'])
      expect(await tried({ signature: signed({ secret }) }, keyless)).toBe(false)
  })
})

describe('the error for an unknown engine', () => {
  it('says what to send, and does not reveal what exists', () => {
    expect(unknownEngine()).toMatchObject({
      code: 'unauthorized',
      message: expect.stringContaining('send the X-API-Key or X-Webhook-Signature'),
    })
  })
})

describe('a replaced secret', () => {
  const callback = { apiKey: 'key-anew-and-longer', signingSecret: 'secret-anew-and-longer' }
  const rotated = changeSecrets(secrets, { callback }, now)
  const old = (at: number) => ({
    apiKey: 'key-of-the-engine',
    signature: signed({ seconds: Math.floor(at / 1000) }),
  })

  it('stays valid for a day, in addition to the new one', async () => {
    const at = now + day - 1
    expect(await tried(old(at), rotated, at)).toBe(true)
    expect(await tried({ apiKey: callback.apiKey }, rotated, now)).toBe(true)
    expect(await tried({ signature: signed({ secret: callback.signingSecret }) }, rotated, now)).toBe(true)
  })

  it('is invalid after that day, both the key and the signing secret', async () => {
    const at = now + day
    const { apiKey, signature } = old(at)
    expect(await tried({ apiKey }, rotated, at)).toBe(false)
    expect(await tried({ signature }, rotated, at)).toBe(false)
    expect(await tried({ apiKey: callback.apiKey }, rotated, at)).toBe(true)
  })
})

function macOfBody(): string {
  return createHmac('sha256', 'secret-of-the-engine').update(body).digest('hex')
}

function flipped(hexadecimal: string): string {
  return `${hexadecimal.startsWith('0') ? '1' : '0'}${hexadecimal.slice(1)}`
}
