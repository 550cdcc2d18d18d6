import type { Secrets, Store } from '@quire/core/ports'

/** The parts of an unsigned JSON Web Token. */
interface Parts {
  readonly header: object
  readonly payload: object
}

/** Signs tokens with the key of an engine, as only the engine itself can. */
export interface Forge {
  /** The header of genuine tokens. */
  readonly header: Readonly<Record<string, unknown>>
  sign(parts: Parts): Promise<string>
  /** Encrypts a token with a 256-bit key (RFC 7516, `dir` with A256GCM). */
  encrypt(text: string): Promise<string>
}

/**
 * Opens the forge of the engine on a store, by decrypting its stored key with the same secrets.
 * Errors: the engine has not signed anything yet.
 */
export async function openForge(store: Store, secrets: Secrets): Promise<Forge> {
  const [record] = await store.records.list('signingKey')
  if (!record) throw new Error('the engine has no signing key yet')
  const jwk: JsonWebKey = JSON.parse(await secrets.open(record.sealedPrivateJwk, 'signing-key'))
  const key = await crypto.subtle.importKey('jwk', jwk, { name: 'Ed25519' }, false, ['sign'])
  return {
    header: { alg: 'EdDSA', kid: record.id, typ: 'at+jwt' },
    sign: (parts) => sign(key, parts),
    encrypt,
  }
}

async function sign(key: CryptoKey, { header, payload }: Parts): Promise<string> {
  const signed = `${encoded(header)}.${encoded(payload)}`
  const signature = await crypto.subtle.sign('Ed25519', key, Buffer.from(signed))
  return `${signed}.${Buffer.from(signature).toString('base64url')}`
}

async function encrypt(text: string): Promise<string> {
  const head = encoded({ alg: 'dir', enc: 'A256GCM', cty: 'JWT' })
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt'])
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const algorithm = { name: 'AES-GCM', iv, additionalData: Buffer.from(head) }
  const sealed = Buffer.from(await crypto.subtle.encrypt(algorithm, key, Buffer.from(text)))
  // WebCrypto appends the tag as the last 128 bits.
  const parts = [Buffer.from(iv), sealed.subarray(0, -16), sealed.subarray(-16)]
  return `${head}..${parts.map((part) => part.toString('base64url')).join('.')}`
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
