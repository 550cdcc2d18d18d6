import { memorySecrets } from '@quire/core/memory'
import type { KeyRingRecord, Secrets, Store, Stored } from '@quire/core/ports'
import { OperatorError } from '../operator-error.ts'
import { compression } from './compression.ts'

/** The id of the only key ring record. */
export const keyRingId = 'KEYS'

const purpose = 'key-ring'

type Key = Uint8Array<ArrayBuffer>

/**
 * The keys that all servers on a store share. They are stored in it, sealed with the key of the
 * file, so every server uses a new key within a second. `fileKeys` are the keys of the file, the
 * current one first; the first server stores them as the shared keys.
 * Errors: OperatorError when the keys of the file do not open the stored ones.
 */
export async function sharedSecrets(store: Store, fileKeys: readonly Key[]): Promise<Secrets> {
  const file = memorySecrets({ keys: fileKeys })
  const ringOf = async ({ sealed }: KeyRingRecord): Promise<Key[]> => {
    const opened = await file
      .open(sealed, purpose)
      .catch((error: unknown) => Promise.reject(notTheirs(error)))
    const texts: string[] = JSON.parse(opened)
    return texts.map((text) => new Uint8Array(Buffer.from(text, 'base64url')))
  }
  const recordOf = async (keys: readonly Key[]): Promise<KeyRingRecord> => {
    const texts = keys.map((key) => Buffer.from(key).toString('base64url'))
    return { id: keyRingId, sealed: await file.seal(JSON.stringify(texts), purpose) }
  }
  const read = async () => {
    const generation = store.records.generation()
    const stored = await required(store)
    return { generation, secrets: memorySecrets({ keys: await ringOf(stored), compression }) }
  }
  await storeFirst(store, await recordOf(fileKeys))
  let known = await read()
  const current = async (): Promise<Secrets> => {
    if (store.records.generation() !== known.generation) known = await read()
    return known.secrets
  }
  return {
    hmac: async (text) => (await current()).hmac(text),
    hmacs: async (text) => (await current()).hmacs(text),
    seal: async (text, use, options) => (await current()).seal(text, use, options),
    open: async (sealed, use) => (await current()).open(sealed, use),
    rotate: () =>
      store.transaction(async (tx) => {
        const before = await required(tx)
        const retain = async (keys: readonly Key[]) =>
          void (await tx.records.put('keyRing', await recordOf(keys), before.revision))
        return memorySecrets({ keys: await ringOf(before), retain }).rotate()
      }),
  }
}

/** When several servers start at the same time, the first one stores its keys. */
async function storeFirst(store: Store, record: KeyRingRecord): Promise<void> {
  if (await store.records.get('keyRing', keyRingId)) return
  await store.transaction(async (tx) => {
    if (!(await tx.records.get('keyRing', keyRingId))) await tx.records.put('keyRing', record, 0)
  })
}

async function required({ records }: Pick<Store, 'records'>): Promise<Stored<'keyRing'>> {
  const stored = await records.get('keyRing', keyRingId)
  if (!stored) throw new Error('The keys of this database are missing: restore a backup.')
  return stored
}

function notTheirs(cause: unknown): OperatorError {
  const message =
    'The server key does not belong to this database: give all of its servers the same key file, with --key or in their data folders.'
  return new OperatorError(message, { cause })
}
