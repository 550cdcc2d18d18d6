import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { BlobsUnavailable } from '@quire/core/ports'
import { onDisk } from './disk-error.ts'

/** Makes written data durable. */
export interface Durability {
  /** Errors: BlobsUnavailable `failing` after any data could not be made durable. */
  requireSound(): void
  /** Makes the bytes of a file durable. */
  file(handle: Syncable): Promise<void>
  /** Makes the names in a folder durable. */
  folder(path: string): Promise<void>
  /**
   * Makes the names in a folder durable and, the first time, those in its parent folders up to
   * `root`: another process may just have created them.
   */
  folderWithin(root: string, path: string): Promise<void>
}

type Syncable = Pick<FileHandle, 'datasync'>

/**
 * After a failed fsync, the kernel may have dropped the data that it could not write, and a second
 * fsync reports success all the same (https://wiki.postgresql.org/wiki/Fsync_Errors). So a failed
 * one is not retried, and nothing is written until a restart.
 */
export function createDurability(): Durability {
  let failure: BlobsUnavailable | null = null
  const requireSound = () => {
    if (failure) throw failure
  }
  const sync = async (work: () => Promise<void>) => {
    requireSound()
    try {
      await work()
    } catch (cause) {
      failure ??= new BlobsUnavailable(
        'failing',
        'The disk of binaries has lost writes: check it, then restart the server.',
        { cause },
      )
      throw failure
    }
  }
  const folder = async (path: string) => {
    // Windows cannot open a folder. NTFS journals its names.
    if (process.platform === 'win32') return
    const handle = await onDisk(open(path, 'r'))
    try {
      await sync(() => handle.sync())
    } finally {
      await handle.close()
    }
  }
  // At most 65 536 folders of blobs, which take 5 MB.
  const named = new Set<string>()
  return {
    requireSound,
    file: (handle) => sync(() => handle.datasync()),
    folder,
    async folderWithin(root, path) {
      await folder(path)
      if (named.has(path)) return
      for (let above = path; above !== root; above = dirname(above)) await folder(dirname(above))
      named.add(path)
    },
  }
}
