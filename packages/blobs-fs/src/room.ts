import { statfs } from 'node:fs/promises'
import { BlobsUnavailable, type Room, createRoom } from '@quire/core/ports'
import { onDisk } from './disk-error.ts'

/** Checks for space for binaries on the volume of a folder. Errors: BlobsUnavailable `full`. */
export function createBlobRoom(folder: string, minFreeBytes: number): Room {
  return createRoom({
    look: () => onDisk(statfs(folder)),
    minFreeBytes,
    refuse: (bytes) =>
      new BlobsUnavailable(
        'full',
        `There is no space left for ${bytes} more bytes: free space on the disk of ${folder}.`,
      ),
  })
}
