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

/** A key that can be told by its id. */
interface NamedKey {
  readonly id: string
  readonly key: CryptoKey
}

/** How long before it signs a new key is published: those who keep the public keys do so for this long (RFC 7517 leaves it open). */
export const publishedBeforeMs = 5 * 60_000

/** How old a key gets before upkeep makes the next one: 90 days. */
const longestMs = 90 * 24 * 60 * 60_000

/** The key that signs now: the newest that everybody knows; made when there is none yet. */
export async function signingKey(call: Call): Promise<NamedKey> {
  const { environment, memo } = call
  const { records } = environment.store
  const newest = signerOf(await records.list('signingKey'), environment.clock.now()) ?? (await firstKey(call))
  return memo.get(records, `signing-key:${newest.id}`, async () => {
    return { id: newest.id, key: asCryptoKey(await importJWK(await opened(environment, newest), algorithm)) }
  })
}

/** Errors: says what to do when the store was written under another server key. */
async function opened({ secrets }: Environment, { id, sealedPrivateJwk }: SigningKeyRecord): Promise<JWK> {
  try {
    return JSON.parse(await secrets.open(sealedPrivateJwk, purpose))
  } catch (cause) {
    throw new Error(`The signing key ${id} was sealed under another server key: start with that one.`, {
      cause,
    })
  }
}

/** A signing key as it is, sealed under the current key of the server. */
export async function resealed(
  environment: Environment,
  { revision: _revision, ...key }: SigningKeyRecord & { readonly revision: number },
): Promise<SigningKeyRecord> {
  const jwk = await opened(environment, key)
  return { ...key, sealedPrivateJwk: await environment.secrets.seal(JSON.stringify(jwk), purpose) }
}

/** The public keys by id: what verifies. */
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

/** The newest key that was published long enough; of those that are all new the oldest. */
function signerOf(keys: readonly SigningKeyRecord[], now: number): SigningKeyRecord | undefined {
  const sorted = keys.toSorted((a, b) => a.id.localeCompare(b.id))
  return newestOf(sorted.filter((key) => key.createdDate + publishedBeforeMs <= now)) ?? sorted[0]
}

/** The first key; when two ask at once the first one in serves both. */
async function firstKey(call: Call): Promise<SigningKeyRecord> {
  const record = await newKey(call.environment)
  return call.write(async ({ store: { records } }) => {
    const existing = newestOf(await records.list('signingKey'))
    return existing ?? records.put('signingKey', record, 0)
  })
}

/** A key pair, its private part sealed. */
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
 * The upkeep of signing keys: the next one when the newest is old, and away with those whose last token has ended. Nothing has to stop
 * for it. Answers how many were made and taken away.
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
    // Its predecessors signed until it began to, and what they signed then lives as long as a session.
    const isForgotten =
      signer !== undefined && signer.createdDate + publishedBeforeMs + limits.sessionLifetime * 1000 <= now
    const retired = isForgotten ? keys.filter(({ id }) => id < signer.id) : []
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

/** The job that looks after the keys which sign tokens. */
export const keyTurning: ReadonlyMap<string, JobHandler> = new Map([
  ['keys.turn', { slots: 1, each: 1, run: slot }],
])

async function slot(_job: Job, { call }: JobContext): Promise<JsonObject> {
  const turned = await rotateKeys(call)
  if (turned.made + turned.retired > 0) call.environment.log.write('info', 'keys.turned', turned)
  return turned
}
