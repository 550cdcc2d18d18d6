import { generateKeyPair, SignJWT, UnsecuredJWT, type JWK } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { systemIdentity } from '../../engine/access/identity.ts'
import { createMemoryStore } from '../../memory/index.ts'
import { createQuire } from '../../quire.ts'

const baseUrl = 'https://cms.example.org'
const start = 1_790_000_000_000
const issued = start / 1000
const store = createMemoryStore()
const clock = { time: start, now: () => clock.time }
const quire = createQuire({ store, clock, baseUrl })
const api = quire.as(systemIdentity('test'))

let token = ''
let account = { id: '', secret: '' }
let publicJwk: JWK = {}

beforeAll(async () => {
  account = await api.serviceAccounts.create({ name: 'Site' })
  token = (await issue(account)).access_token
  publicJwk = (await api.auth.keys()).keys[0] ?? {}
})

const issue = ({ id, secret }: { id: string; secret: string }) =>
  api.auth.token({ grant_type: 'client_credentials', client_id: id, client_secret: secret })

const claims = () => ({
  typ: 'service',
  epoch: 1,
  name: 'Site',
  sub: account.id,
  iss: baseUrl,
  aud: baseUrl,
  jti: 'x',
  iat: issued,
  exp: issued + 3600,
})
const header = () => ({ alg: 'EdDSA', typ: 'at+jwt', kid: String(publicJwk.kid) })

async function signedByAnother(
  payload: object = claims(),
  protectedHeader: object = header(),
): Promise<string> {
  const { privateKey } = await generateKeyPair('EdDSA')
  return new SignJWT({ ...payload }).setProtectedHeader({ ...header(), ...protectedHeader }).sign(privateKey)
}

async function signedWithPublicKeyAsSecret(): Promise<string> {
  const secret = new TextEncoder().encode(JSON.stringify(publicJwk).padEnd(64))
  return new SignJWT(claims()).setProtectedHeader({ ...header(), alg: 'HS256' }).sign(secret)
}

function withPart(index: number, change: (part: string) => string): string {
  return token
    .split('.')
    .map((part, at) => (at === index ? change(part) : part))
    .join('.')
}

const recoded = (members: object) => (part: string) => {
  const decoded: object = JSON.parse(atob(part.replaceAll('-', '+').replaceAll('_', '/')))
  return btoa(JSON.stringify({ ...decoded, ...members }))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

describe('a token', () => {
  it('of this service identifies its account', async () => {
    expect(await quire.authenticate(token)).toEqual({
      kind: 'service',
      id: account.id,
      epoch: 1,
      expires: start + 3_600_000,
    })
    const payload: Record<string, unknown> = JSON.parse(atob(token.split('.')[1] ?? ''))
    expect(Number(payload['exp']) - Number(payload['iat'])).toBe(3600)
    expect(Object.keys(payload).toSorted()).toEqual([
      'aud',
      'client_id',
      'epoch',
      'exp',
      'iat',
      'iss',
      'jti',
      'name',
      'sub',
      'typ',
    ])
  })

  const forged: [string, () => string | Promise<string>][] = [
    ['unsigned', () => new UnsecuredJWT(claims()).encode()],
    ['with alg none in another spelling', () => withPart(0, recoded({ alg: 'nOnE' }))],
    ['signed with the public key as a secret', signedWithPublicKeyAsSecret],
    ['signed by another key with the id of our key', () => signedByAnother()],
    ['with an unknown key id', () => withPart(0, recoded({ kid: 'KEY_other' }))],
    [
      'with a flipped bit in its signature',
      () => withPart(2, (part) => (part.startsWith('A') ? 'B' : 'A') + part.slice(1)),
    ],
    ['with a later expiry', () => withPart(1, recoded({ exp: issued + 315_360_000 }))],
    ['of another subject', () => withPart(1, recoded({ sub: 'SVCA_other' }))],
    ['of another issuer', () => withPart(1, recoded({ iss: 'https://evil.example' }))],
    ['with a critical header', () => withPart(0, recoded({ crit: ['x'], x: 1 }))],
    ['with parts missing', () => token.split('.').slice(0, 2).join('.')],
    ['like an encrypted one', () => 'a.b.c.d.e'],
    ['of a megabyte', () => 'x'.repeat(1024 * 1024)],
    ['empty', () => ''],
    ['not a token', () => '{"kind":"system","name":"x"}'],
  ]
  it.each(forged)('%s is rejected', async (_what, forge) => {
    const before = performance.now()
    await expect(quire.authenticate(await forge())).rejects.toMatchObject({ code: 'unauthorized' })
    expect(performance.now() - before).toBeLessThan(1000)
  })

  it('of another engine is rejected, and private keys are stored sealed', async () => {
    const other = createQuire({ store: createMemoryStore(), clock, baseUrl })
    const otherApi = other.as(systemIdentity('test'))
    const { id, secret } = await otherApi.serviceAccounts.create({ name: 'Foreign' })
    const foreign = await otherApi.auth.token({
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: secret,
    })
    await expect(quire.authenticate(foreign.access_token)).rejects.toMatchObject({ code: 'unauthorized' })
    const [record] = await store.records.list('signingKey')
    expect(record?.sealedPrivateJwk).not.toContain('"d"')
  })
})

describe('wrong secrets', () => {
  it('are counted by client id without locking out the right secret', async () => {
    const wrong = () =>
      issue({ ...account, secret: 'wrong' }).catch((error: { status: number }) => error.status)
    const statuses = []
    for (let index = 0; index < 12; index++) statuses.push(await wrong())
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429])
    expect(await issue(account)).toMatchObject({ expires_in: 3600 })
    clock.time += 60_000
    expect(await wrong()).toBe(401)
  })

  it('block an address for a minute', async () => {
    const from = (address: string, secret: string) =>
      quire
        .run({
          group: 'auth',
          operation: 'token',
          principal: { kind: 'anonymous' },
          input: { grant_type: 'client_credentials', client_id: account.id, client_secret: secret },
          origin: { address },
        })
        .then(
          () => 200,
          (error: { status: number }) => error.status,
        )
    for (let index = 0; index < 10; index++) await from('192.0.2.1', 'wrong')
    expect(await from('192.0.2.1', account.secret)).toBe(429)
    expect(await from('192.0.2.2', account.secret)).toBe(200)
    clock.time += 60_000
    expect(await from('192.0.2.1', account.secret)).toBe(200)
  })
})
