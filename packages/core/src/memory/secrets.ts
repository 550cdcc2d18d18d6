import { base64UrlOf, bytesOfBase64Url } from '../adapters/base64.ts'
import type { Secrets } from '../ports/index.ts'

// AES-GCM needs 96 bits that never repeat under one key (NIST SP 800-38D).
const nonceBytes = 12

/**
 * Bytes of a key that is generated here: as strong as the AES-256 and HMAC-SHA-256 keys derived
 * from it.
 */
const keyBytes = 32

type Key = Uint8Array<ArrayBuffer>

/** Existing keys, and how to store new ones. */
export interface KeyRing {
  /**
   * The current key first; the others can still open what was sealed with them. Each is a secret of
   * at least 32 bytes.
   */
  readonly keys: readonly Key[]
  /** Stores all keys after a rotation, durably before it resolves. Default: not stored. */
  readonly retain?: (keys: readonly Key[]) => Promise<void>
  /** Compresses compact texts. Default: they are not compressed. */
  readonly compression?: Compression
}

/** How texts are compressed. Each function is the inverse of the other. */
export interface Compression {
  readonly deflate: (bytes: Key) => Key
  readonly inflate: (bytes: Key) => Key
}

/** The first part of a sealed text that was compressed. */
const compressed = 'deflate'

/**
 * Cryptography with WebCrypto, for Node and browsers. `key` is a secret of at least 32 bytes, or a
 * ring of them. Without it, a random key is generated that lives as long as the process.
 */
export function memorySecrets(key: Key | KeyRing = newKey()): Secrets {
  const { keys, retain, compression }: KeyRing = key instanceof Uint8Array ? { keys: [key] } : key
  let ring = keys.map(ringKey)
  let rotating: Promise<unknown> = Promise.resolve()
  const current = () => ring[0] ?? ringKey(newKey())
  return {
    hmac: async (text) => macOf(await current().mac(), text),
    hmacs: (text) => Promise.all(ring.map(async ({ mac }) => macOf(await mac(), text))),
    async seal(text, purpose, { compact = false } = {}) {
      const { id, seal } = current()
      const deflate = compact ? compression?.deflate : undefined
      const iv = crypto.getRandomValues(new Uint8Array(nonceBytes))
      const bytes = deflate ? deflate(utf8(text)) : utf8(text)
      const sealed = await crypto.subtle.encrypt(algorithmOf(iv, purpose, !!deflate), await seal(), bytes)
      const parts = [await id(), base64UrlOf(iv), base64UrlOf(new Uint8Array(sealed))]
      return (deflate ? [compressed, ...parts] : parts).join('.')
    },
    async open(sealed, purpose) {
      const parts = sealed.split('.')
      const [text = '', iv = '', id, form] = parts.toReversed()
      const ids = await Promise.all(ring.map((one) => one.id()))
      // Texts that were sealed before keys had ids were sealed with the oldest key.
      const key = ring[id === undefined ? ring.length - 1 : ids.indexOf(id)]
      if (!key) throw new Error('This was sealed with a key that is not in the key ring.')
      const inflate = form === compressed ? compression?.inflate : undefined
      const algorithm = algorithmOf(bytesOfBase64Url(iv), purpose, !!inflate)
      const opened = await crypto.subtle.decrypt(algorithm, await key.seal(), bytesOfBase64Url(text))
      return new TextDecoder().decode(inflate ? inflate(new Uint8Array(opened)) : opened)
    },
    rotate() {
      // Rotations run one after another, so that each one retains all keys made before it.
      const rotated = rotating.then(async () => {
        const next = ringKey(newKey())
        await retain?.([next, ...ring].map(({ bytes }) => bytes))
        ring = [next, ...ring]
        return next.id()
      })
      rotating = rotated.catch(() => undefined)
      return rotated
    },
  }
}

/** Whether the content is compressed is authenticated, too. */
function algorithmOf(iv: Key, purpose: string, isCompressed: boolean) {
  const bound = isCompressed ? `${purpose} ${compressed}` : purpose
  return { name: 'AES-GCM', iv, additionalData: utf8(bound) }
}

function newKey(): Key {
  return crypto.getRandomValues(new Uint8Array(keyBytes))
}

/**
 * A key with the keys derived from it on first use: one server key, three uses, each with a key of
 * its own (RFC 5869).
 */
function ringKey(bytes: Key) {
  return {
    bytes,
    mac: once(() => macKey(bytes)),
    seal: once(() => sealingKey(bytes)),
    id: once(async () => base64UrlOf(new Uint8Array(await derived(bytes, 'id'))).slice(0, 12)),
  }
}

async function macOf(key: CryptoKey, text: string): Promise<string> {
  return base64UrlOf(new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8(text))))
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

async function derived(key: Key, use: string): Promise<ArrayBuffer> {
  const material = await crypto.subtle.importKey('raw', key, 'HKDF', false, ['deriveBits'])
  const algorithm = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info: utf8(`quire ${use}`) }
  return crypto.subtle.deriveBits(algorithm, material, 256)
}

async function macKey(key: Key): Promise<CryptoKey> {
  return crypto.subtle.importKey(
    'raw',
    await derived(key, 'hmac'),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
}

async function sealingKey(key: Key): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', await derived(key, 'seal'), 'AES-GCM', false, ['encrypt', 'decrypt'])
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}
