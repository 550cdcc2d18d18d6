import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { secretProblem, signature } from './outgoing.ts'

const secretOf = (bytes: Uint8Array) => `whsec_${Buffer.from(bytes).toString('base64')}`
const secretOfLength = (length: number) => secretOf(Uint8Array.from({ length }, (_, index) => index * 7))

describe('a secret', () => {
  it.each([24, 25, 26, 32, 63, 64])('may have %i bytes', (length) => {
    expect(secretProblem(secretOfLength(length))).toBeNull()
  })

  it.each([
    ['of 23 bytes', secretOfLength(23)],
    ['of 65 bytes', secretOfLength(65)],
    ['of 66 bytes, which end without padding', secretOfLength(66)],
    ['without its beginning', secretOfLength(24).slice('whsec_'.length)],
    ['of another beginning', secretOfLength(24).replace('whsec_', 'WHSEC_')],
    ['without a key', 'whsec_'],
    ['that is empty', ''],
    ['without its padding', secretOfLength(25).replaceAll('=', '')],
    ['with more padding', `${secretOfLength(24)}=`],
    ['with padding inside', `whsec_AA==${'A'.repeat(32)}`],
    ['in the other alphabet of base64', `whsec_${'-_'.repeat(16)}`],
    ['with a space', `whsec_${'A'.repeat(31)} `],
    ['with a line break at its end', `${secretOfLength(24)}\n`],
    ['with excess bits in its last character', `whsec_${'A'.repeat(32)}AB==`],
    ['that is the redacted form', '***'],
  ])('cannot be one %s', (_name, secret) => {
    expect(secretProblem(secret)).toBe('must be `whsec_` and 24 to 64 bytes in base64')
  })
})

describe('a signature', () => {
  // The example in the documentation of Svix, which designed the scheme.
  it('matches the published example', async () => {
    const signed = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: '1614265330',
      body: '{"test": 2432232314}',
    }
    expect(await signature('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', signed)).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    )
  })

  it('equals that of the Standard Webhooks library, for any key, id, time and body', async () => {
    const time = fc.integer({ min: 0, max: 4_102_444_800 })
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 24, maxLength: 64 }),
        fc.record({ id: fc.stringMatching(/^[A-Za-z0-9_-]+$/), time, body: fc.string({ unit: 'grapheme' }) }),
        async (bytes, { id, time: seconds, body }) => {
          const secret = secretOf(bytes)
          expect(secretProblem(secret)).toBeNull()
          const theirs = new Webhook(secret).sign(id, new Date(seconds * 1000), body)
          expect(await signature(secret, { id, timestamp: String(seconds), body })).toBe(theirs)
        },
      ),
    )
  })

  it('differs with each of key, id, time and body', async () => {
    const signed = { id: 'a', timestamp: '1', body: 'b' }
    const all = await Promise.all([
      signature(secretOfLength(24), signed),
      signature(secretOfLength(25), signed),
      signature(secretOfLength(24), { ...signed, id: 'c' }),
      signature(secretOfLength(24), { ...signed, timestamp: '2' }),
      signature(secretOfLength(24), { ...signed, body: '' }),
    ])
    expect(new Set(all).size).toBe(all.length)
  })
})
