import { exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { Environment } from '../call/environment.ts'
import type { Memo } from '../call/memo.ts'
import type { SigningKeyRecord } from '../ports/index.ts'

/** The one algorithm of tokens (TRUST S07: fixed, never taken from the token). */
export const algorithm = 'EdDSA'

const purpose = 'signing-key'

/** A key that can be told by its id. */
export interface NamedKey {
  readonly id: string
  readonly key: CryptoKey
}

/** The key that signs now: the newest; made when there is none yet. */
export async function signingKey({
  environment,
  memo,
}: {
  environment: Environment
  memo: Memo
}): Promise<NamedKey> {
  const { records } = environment.store
  const newest = newestOf(await records.list('signingKey')) ?? (await createKey(environment))
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

/** Makes the first key; when two ask at once the first one in serves both. */
async function createKey({ store, secrets, ids, clock }: Environment): Promise<SigningKeyRecord> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true })
  const record: SigningKeyRecord = {
    id: ids.next('KEY'),
    algorithm,
    publicJwk: textMembers(await exportJWK(publicKey)),
    sealedPrivateJwk: await secrets.seal(JSON.stringify(await exportJWK(privateKey)), purpose),
    createdDate: clock.now(),
  }
  return store.transaction(async (tx) => {
    const present = newestOf(await tx.records.list('signingKey'))
    return present ?? tx.records.put('signingKey', record, 0)
  })
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
