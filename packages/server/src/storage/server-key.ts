import { randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import type { KeyRing } from '@quire/core/memory'
import { codeOf, OperatorError } from '../operator-error.ts'
import type { DataFolder } from './data-folder.ts'
import { replacePrivateFile, writePrivateFile } from './private-file.ts'

/** Bytes of a server key: as strong as the AES-256 and HMAC-SHA-256 that are made of it. */
const keyBytes = 32

/** Bits of a file mode that let others than the owner in. */
const othersMode = 0o077

/** The first line of a file of several keys, which follow as base64url, a line each, the current one first. A file without it is one key. */
const ringHeader = 'quire-keys'

/** Where the key is, and what it opens. */
export type KeyLocation = Pick<DataFolder, 'key' | 'database' | 'isNew'>

/**
 * The server's keys, the current one first; the first is made at the first start (0600, on disk before it is used).
 * Errors: OperatorError when others may read it, when it is too short, and when the database is there but its key is not: a new
 * one could open nothing of what is sealed.
 */
export async function openServerKeys(folder: KeyLocation): Promise<KeyRing> {
  const problem = await keyProblem(folder.key)
  if (problem === 'missing') await createKey(folder)
  else if (problem) throw new OperatorError(`${problem}.`)
  const retain: KeyRing['retain'] = (keys) => replacePrivateFile(folder.key, formatRing(keys))
  return { keys: parseRing(await readFile(folder.key)), retain }
}

function formatRing(keys: readonly Uint8Array[]): Uint8Array {
  const branches = keys.map((key) => Buffer.from(key).toString('base64url'))
  return Buffer.from(`${[ringHeader, ...branches].join('\n')}\n`)
}

function parseRing(bytes: Buffer): Uint8Array<ArrayBuffer>[] {
  const header = `${ringHeader}\n`
  if (!bytes.subarray(0, header.length).equals(Buffer.from(header))) return [new Uint8Array(bytes)]
  const branches = bytes.toString('latin1').trimEnd().split('\n').slice(1)
  return branches.map((branch) => new Uint8Array(Buffer.from(branch, 'base64url')))
}

/** What is wrong with a key file: `missing`, or a sentence; null when nothing is. */
export async function keyProblem(file: string): Promise<string | null> {
  try {
    const { mode, size } = await stat(file)
    if ((mode & othersMode) !== 0) return `${file} can be read by others: chmod 600 ${file}`
    return size < keyBytes ? `${file} has ${size} bytes, a server key has ${keyBytes}: restore it` : null
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 'missing'
    throw error
  }
}

async function createKey(folder: KeyLocation): Promise<void> {
  if (!folder.isNew) {
    const { key, database } = folder
    throw new OperatorError(
      `${key} is missing: restore it, without it nothing opens that ${database} keeps secret.`,
    )
  }
  await writePrivateFile(folder.key, randomBytes(keyBytes))
}
