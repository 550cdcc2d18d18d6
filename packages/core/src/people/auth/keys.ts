import type { SigningKeyRecord } from './records.ts'
import { limits } from '@quire/contract'
import { exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { Call } from '../../engine/call.ts'
import type { Environment } from '../../engine/environment.ts'
import type { Memo } from '../../engine/shared.ts'
import type { JobContext, JobHandler } from '../../engine/job.ts'
import type { Job, JsonObject } from '../../ports/index.ts'

/** The one algorithm of tokens (TRUST S07: fixed, never taken from the token). */
export const algorithm = 'EdDSA'

const purpose = 'signing-key'

interface KeyWithId {
  readonly id: string
  readonly key: CryptoKey
}

/**
 * Milliseconds for which a new key is published before it signs. Others may cache the public keys
 * for as long (RFC 7517 sets no limit).
 */
export const publishedBeforeMs = 5 * 60_000

/** The age in milliseconds at which a key is replaced: 90 days. */
const longestMs = 90 * 24 * 60 * 60_000

/**
 * The current signing key: the newest one that was published for long enough. Creates the first one
 * if there is none.
 */
export async function signingKey(call: Call): Promise<KeyWithId> {
  const { environment, memo } = call
  const { records } = environment.store
  const newest = signerOf(await records.list('signingKey'), environment.clock.now()) ?? (await firstKey(call))
  return memo.get(records, `signing-key:${newest.id}`, async () => {
    return {
      id: newest.id,
      key: asCryptoKey(await importJWK(await openPrivateKey(environment, newest), algorithm)),
    }
  })
}

/** Errors: throws if the key was sealed with another server key. */
async function openPrivateKey(
  { secrets }: Environment,
  { id, sealedPrivateJwk }: SigningKeyRecord,
): Promise<JWK> {
  try {
    return JSON.parse(await secrets.open(sealedPrivateJwk, purpose))
  } catch (cause) {
    throw new Error(
      `The signing key ${id} was sealed with another server key. Start the service with that key.`,
      {
        cause,
      },
    )
  }
}

/** Seals a signing key with the current server key. */
export async function resealKey(
  environment: Environment,
  { revision: _revision, ...key }: SigningKeyRecord & { readonly revision: number },
): Promise<SigningKeyRecord> {
  const jwk = await openPrivateKey(environment, key)
  return { ...key, sealedPrivateJwk: await environment.secrets.seal(JSON.stringify(jwk), purpose) }
}

/** The public keys that verify tokens, by id. */
export async function verifyingKeys({ environment, memo }: { environment: Environment; memo: Memo }) {
  const { records } = environment.store
  return memo.get(records, 'verifying-keys', async () => {
    const keys = await records.list('signingKey')
    const imported = keys.map(
      async ({ id, publicJwk }) => [id, asCryptoKey(await importJWK({ ...publicJwk }, algorithm))] as const,
    )
    return new Map(await Promise.all(imported))
  })
}

function newestOf(keys: readonly SigningKeyRecord[]): SigningKeyRecord | undefined {
  return keys.toSorted((a, b) => a.id.localeCompare(b.id)).at(-1)
}

/** The newest key that was published for long enough; if there is none, the oldest key. */
function signerOf(keys: readonly SigningKeyRecord[], now: number): SigningKeyRecord | undefined {
  const sorted = keys.toSorted((a, b) => a.id.localeCompare(b.id))
  return newestOf(sorted.filter((key) => key.createdDate + publishedBeforeMs <= now)) ?? sorted[0]
}

/** Creates the first key. Concurrent calls: the first stored key serves all. */
async function firstKey(call: Call): Promise<SigningKeyRecord> {
  const record = await newKey(call.environment)
  return call.write(async ({ store: { records } }) => {
    const existing = newestOf(await records.list('signingKey'))
    return existing ?? records.put('signingKey', record, 0)
  })
}

/** Generates a key pair and seals its private key. It is not stored yet. */
export async function newKey({ secrets, ids, clock }: Environment): Promise<SigningKeyRecord> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true })
  return {
    id: ids.next('KEY'),
    algorithm,
    publicJwk: textMembers(await exportJWK(publicKey)),
    sealedPrivateJwk: await secrets.seal(JSON.stringify(await exportJWK(privateKey)), purpose),
    createdDate: clock.now(),
  }
}

/**
 * Creates the next signing key if the newest is old, and deletes keys whose last token has expired.
 * Existing tokens stay valid. Returns how many keys were created and deleted.
 */
async function rotateKeys(call: Call): Promise<{ made: number; retired: number }> {
  const { environment } = call
  const now = environment.clock.now()
  const next = isOld(await environment.store.records.list('signingKey'), now) && (await newKey(environment))
  return call.write(async ({ store: { records } }) => {
    const keys = await records.list('signingKey')
    const made = next && isOld(keys, now)
    if (made) await records.put('signingKey', next, 0)
    const signer = signerOf(keys, now)
    // Earlier keys signed until this one took over, and their last tokens are valid for at most the
    // lifetime of a session.
    const areUnused =
      signer !== undefined && signer.createdDate + publishedBeforeMs + limits.sessionLifetime * 1000 <= now
    const retired = areUnused ? keys.filter(({ id }) => id < signer.id) : []
    for (const { id, revision } of retired) await records.delete('signingKey', id, revision)
    return { made: Number(made), retired: retired.length }
  })
}

function isOld(keys: readonly SigningKeyRecord[], now: number): boolean {
  const newest = newestOf(keys)
  return newest !== undefined && newest.createdDate + longestMs <= now
}

function textMembers(jwk: JWK): Record<string, string> {
  return Object.fromEntries(
    Object.entries(jwk).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

function asCryptoKey(key: CryptoKey | Uint8Array): CryptoKey {
  if (key instanceof Uint8Array) throw new TypeError('a signing key is not an EdDSA key')
  return key
}

/** The job that rotates the signing keys. */
export const keyRotation: ReadonlyMap<string, JobHandler> = new Map([
  ['keys.turn', { slots: 1, each: 1, run: runRotation }],
])

async function runRotation(_job: Job, { call }: JobContext): Promise<JsonObject> {
  const counts = await rotateKeys(call)
  if (counts.made + counts.retired > 0) call.environment.log.write('info', 'keys.turned', counts)
  return counts
}
