import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { memorySecrets } from './secrets.ts'

type Bytes = Uint8Array<ArrayBuffer>

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
  it('seals any text, and opens it with the same key and purpose', async () => {
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

describe('a compact text', () => {
  const compression = {
    deflate: (bytes: Bytes) => deflateRawSync(bytes),
    inflate: (bytes: Bytes) => inflateRawSync(bytes),
  }
  const text = JSON.stringify(Array.from({ length: 50 }, (_, number) => ({ name: 'Grüße', number })))
  const compact = { compact: true }

  it('is compressed if the ring can, and opened like any other', async () => {
    const plain = memorySecrets(key)
    const shorter = memorySecrets({ keys: [key], compression })
    const [long, short, asked] = await Promise.all([
      plain.seal(text, 'purpose', compact),
      shorter.seal(text, 'purpose', compact),
      shorter.seal(text, 'purpose'),
    ])
    expect(short.length).toBeLessThan(long.length / 4)
    expect(asked.length).toBe(long.length)
    for (const sealed of [long, short, asked]) expect(await shorter.open(sealed, 'purpose')).toBe(text)
  })

  it('does not open without its mark, nor a plain one with it', async () => {
    const secrets = memorySecrets({ keys: [key], compression })
    const [mark, ...parts] = (await secrets.seal(text, 'purpose', compact)).split('.')
    const plain = await secrets.seal(text, 'purpose')
    await expect(secrets.open(parts.join('.'), 'purpose')).rejects.toBeInstanceOf(Error)
    await expect(secrets.open(`${mark}.${plain}`, 'purpose')).rejects.toBeInstanceOf(Error)
  })
})

describe('a ring of keys', () => {
  it('opens and finds what was made with any key, however many rotations run at once', async () => {
    const stored: (readonly Uint8Array<ArrayBuffer>[])[] = []
    const retain = async (keys: readonly Uint8Array<ArrayBuffer>[]) => {
      stored.push(keys)
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    const secrets = memorySecrets({ keys: [key], retain })
    const sealed = [await secrets.seal('first', 'purpose')]
    const hashes = [await secrets.hmac('text')]
    await Promise.all([secrets.rotate(), secrets.rotate(), secrets.rotate()])
    sealed.push(await secrets.seal('second', 'purpose'))
    hashes.push(await secrets.hmac('text'))
    const reopened = memorySecrets({ keys: stored.at(-1) ?? [] })
    expect(stored.at(-1)).toHaveLength(4)
    expect(await Promise.all(sealed.map((text) => reopened.open(text, 'purpose')))).toEqual([
      'first',
      'second',
    ])
    const all = await reopened.hmacs('text')
    expect(all).toHaveLength(4)
    expect(all[0]).toBe(hashes[1])
    expect(all[3]).toBe(hashes[0])
  })

  it('opens what was sealed before keys had ids', async () => {
    const [, ...unnamed] = (await memorySecrets(key).seal('old', 'purpose')).split('.')
    const secrets = memorySecrets(key)
    await secrets.rotate()
    expect(await secrets.open(unnamed.join('.'), 'purpose')).toBe('old')
  })

  it('continues with the old key when a new one cannot be stored', async () => {
    const secrets = memorySecrets({ keys: [key], retain: () => Promise.reject(new Error('no room')) })
    const before = await secrets.hmac('text')
    await expect(secrets.rotate()).rejects.toThrow('no room')
    expect(await secrets.hmac('text')).toBe(before)
  })
})
