import { describe, expect, it } from 'vitest'
import { memorySecrets } from './secrets.ts'

const key = new Uint8Array(32).fill(7)

describe('hmac', () => {
  it('is the same for the same key and text, and 256 bits long', async () => {
    const mac = await memorySecrets(key).hmac('text')
    expect(await memorySecrets(key).hmac('text')).toBe(mac)
    expect(mac).toMatch(/^[\w-]{43}$/)
  })

  it('differs with the text and with the key', async () => {
    const mac = await memorySecrets(key).hmac('text')
    expect(await memorySecrets(key).hmac('other')).not.toBe(mac)
    expect(await memorySecrets().hmac('text')).not.toBe(mac)
  })
})

describe('seal', () => {
  it('keeps any text, and opens under the same key and purpose', async () => {
    for (const text of ['', 'Grüße 😀', 'x'.repeat(200_000)]) {
      const sealed = await memorySecrets(key).seal(text, 'purpose')
      expect(await memorySecrets(key).open(sealed, 'purpose')).toBe(text)
    }
  })

  it('never gives the same sealed text twice, nor shows the text', async () => {
    const secrets = memorySecrets(key)
    const sealed = await Promise.all([secrets.seal('hidden', 'a'), secrets.seal('hidden', 'a')])
    expect(sealed[0]).not.toBe(sealed[1])
    expect(sealed.join()).not.toContain('hidden')
  })

  it('does not open under another key, for another purpose, changed or made up', async () => {
    const secrets = memorySecrets(key)
    const sealed = await secrets.seal('text', 'purpose')
    const changed = `${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`
    await expect(memorySecrets().open(sealed, 'purpose')).rejects.toBeInstanceOf(Error)
    await expect(secrets.open(sealed, 'other')).rejects.toBeInstanceOf(Error)
    await expect(secrets.open(changed, 'purpose')).rejects.toBeInstanceOf(Error)
    await expect(secrets.open('', 'purpose')).rejects.toBeInstanceOf(Error)
    await expect(secrets.open('no. base64url!', 'purpose')).rejects.toBeInstanceOf(Error)
  })
})
