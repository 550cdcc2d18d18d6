import { randomBytes } from 'node:crypto'
import { link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf } from '../operator-error.ts'

/**
 * Creates a file that only its owner can read, atomically and synced to disk. When several
 * processes do this at once, one wins. False when the file already existed; it is then left
 * unchanged.
 */
export async function writePrivateFile(path: string, content: string | Uint8Array): Promise<boolean> {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    await writeSynced(draft, content)
    await link(draft, path)
    await syncFolder(dirname(path))
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

/**
 * Atomically replaces a file with one that only its owner can read, synced to disk. On failure the
 * old file remains.
 */
export async function replacePrivateFile(path: string, content: Uint8Array): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    await writeSynced(draft, content)
    await rename(draft, path)
    await syncFolder(dirname(path))
  } finally {
    await rm(draft, { force: true })
  }
}

async function writeSynced(path: string, content: string | Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

// A new name is durable once its folder is synced.
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
