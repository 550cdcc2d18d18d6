import { randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import type { KeyRing } from '@quire/core/memory'
import { codeOf, OperatorError } from '../operator-error.ts'
import type { DataFolder } from './data-folder.ts'
import { replacePrivateFile, writePrivateFile } from './private-file.ts'

/** Bytes of a server key: as strong as the AES-256 and HMAC-SHA-256 keys derived from it. */
const keyBytes = 32

/** File mode bits that give access to others than the owner. */
const othersMode = 0o077

/**
 * The first line of a file with several keys. The keys follow as base64url, one per line, the
 * current one first. A file without this line holds a single raw key.
 */
const ringHeader = 'quire-keys'

/** Where the key is, and which database it opens. */
export type KeyLocation = Pick<DataFolder, 'key' | 'database' | 'isNew'>

/**
 * Reads the server's keys, the current one first. The first start creates a key (0600, synced to
 * disk before it is used).
 * Errors: OperatorError when others can read the file, when the key is too short, and when the
 * database exists but its key does not: a new key could not open anything sealed with the old one.
 */
export async function openServerKeys(folder: KeyLocation): Promise<KeyRing> {
  const problem = await keyProblem(folder.key)
  if (problem === 'missing') await createKey(folder)
  else if (problem) throw new OperatorError(`${problem}.`)
  const retain: KeyRing['retain'] = (keys) => replacePrivateFile(folder.key, formatRing(keys))
  return { keys: parseRing(await readFile(folder.key)), retain }
}

function formatRing(keys: readonly Uint8Array[]): Uint8Array {
  const lines = keys.map((key) => Buffer.from(key).toString('base64url'))
  return Buffer.from(`${[ringHeader, ...lines].join('\n')}\n`)
}

function parseRing(bytes: Buffer): Uint8Array<ArrayBuffer>[] {
  const header = `${ringHeader}\n`
  if (!bytes.subarray(0, header.length).equals(Buffer.from(header))) return [new Uint8Array(bytes)]
  const lines = bytes.toString('latin1').trimEnd().split('\n').slice(1)
  return lines.map((line) => new Uint8Array(Buffer.from(line, 'base64url')))
}

/** The problem with a key file: `missing`, or a sentence; null when there is none. */
export async function keyProblem(file: string): Promise<string | null> {
  try {
    const { mode, size } = await stat(file)
    if ((mode & othersMode) !== 0) return `${file} can be read by others: chmod 600 ${file}`
    return size < keyBytes
      ? `${file} has ${size} bytes, but a server key has ${keyBytes}: restore it from a backup`
      : null
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 'missing'
    throw error
  }
}

async function createKey(folder: KeyLocation): Promise<void> {
  if (!folder.isNew) {
    const { key, database } = folder
    throw new OperatorError(
      `${key} is missing: restore it from a backup. Without it the secrets in ${database} cannot be opened.`,
    )
  }
  await writePrivateFile(folder.key, randomBytes(keyBytes))
}
