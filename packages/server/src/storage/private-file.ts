import { randomBytes } from 'node:crypto'
import { link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf } from '../operator-error.ts'

/**
 * Writes a file for its owner alone, whole and on disk, or not at all. Of several processes that do so at once one wins.
 * False when the file was there already: it stays as it is.
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

/** Writes a file for its owner alone in place of the one that is there: whole and on disk, or the one before stays. */
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

// A name is on disk once its folder is.
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
