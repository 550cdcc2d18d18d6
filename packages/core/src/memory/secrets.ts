import type { Secrets } from '../ports/index.ts'
import { base64url, bytesOf } from './ids.ts'

// AES-GCM wants 96 bits that never repeat under one key (NIST SP 800-38D).
const nonceBytes = 12

/**
 * Keyed work by WebCrypto, in Node and in browsers. `key` is 32 bytes or more that stay secret; without one a random key is made,
 * which lives as long as the process.
 */
export function memorySecrets(
  key: Uint8Array<ArrayBuffer> = crypto.getRandomValues(new Uint8Array(32)),
): Secrets {
  const keys = { mac: once(() => macKey(key)), seal: once(() => sealingKey(key)) }
  return {
    async hmac(text) {
      return base64url(new Uint8Array(await crypto.subtle.sign('HMAC', await keys.mac(), utf8(text))))
    },
    async seal(text, purpose) {
      const iv = crypto.getRandomValues(new Uint8Array(nonceBytes))
      const algorithm = { name: 'AES-GCM', iv, additionalData: utf8(purpose) }
      const sealed = await crypto.subtle.encrypt(algorithm, await keys.seal(), utf8(text))
      return `${base64url(iv)}.${base64url(new Uint8Array(sealed))}`
    },
    async open(sealed, purpose) {
      const [iv = '', text = ''] = sealed.split('.')
      const algorithm = { name: 'AES-GCM', iv: bytesOf(iv), additionalData: utf8(purpose) }
      const opened = await crypto.subtle.decrypt(algorithm, await keys.seal(), bytesOf(text))
      return new TextDecoder().decode(opened)
    },
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

// One server key, two uses: each gets a key of its own (RFC 5869).
async function derived(key: Uint8Array<ArrayBuffer>, use: string): Promise<ArrayBuffer> {
  const material = await crypto.subtle.importKey('raw', key, 'HKDF', false, ['deriveBits'])
  const algorithm = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info: utf8(`quire ${use}`) }
  return crypto.subtle.deriveBits(algorithm, material, 256)
}

async function macKey(key: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey(
    'raw',
    await derived(key, 'hmac'),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
}

async function sealingKey(key: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', await derived(key, 'seal'), 'AES-GCM', false, ['encrypt', 'decrypt'])
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}
