import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StoreUnavailable, createRoom, defaultFloor } from '@quire/core/ports'
import type { SqliteOptions } from './open-file.ts'
import { createReserve } from './reserve.ts'

/** Room for rows on the disk of a database. */
export interface RowRoom {
  /** Errors: StoreUnavailable `full`, which names the floor, when less than that is free. */
  require(): Promise<void>
  /** To be called when the disk is full all the same: what gives room back needs some itself. */
  ranOut(): void
  /** To be called once the database is closed: the next start needs what its log gave back. */
  close(): void
}

/** The room of a file. */
export function createRowRoom(
  file: string,
  { minFreeBytes = defaultFloor, reservesSpace = false }: Omit<SqliteOptions, 'file'>,
): RowRoom {
  const reserve = createReserve(file)
  if (reservesSpace) reserve.takeOfPlenty()
  let isInUse = !reservesSpace
  const room = createRoom({
    look: () => statfs(dirname(file)),
    minFreeBytes,
    refuse: (_bytes, { freeBytes, floorBytes }) =>
      new StoreUnavailable(
        'full',
        `No room is left: ${freeBytes} bytes are free on the disk of the database, and ${floorBytes} must stay free (--min-free). Reads and deletes go on; free space to add more.`,
      ),
  })
  return {
    async require() {
      await room.require(0)
      if (isInUse) return
      isInUse = true
      reserve.take()
    },
    ranOut() {
      // Without a floor, what adds would have it at once.
      if (reservesSpace && minFreeBytes > 0) isInUse = !reserve.giveUp() && isInUse
    },
    close() {
      if (reservesSpace) reserve.take()
    },
  }
}
