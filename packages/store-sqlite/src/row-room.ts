import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StoreUnavailable, createRoom, defaultFloor } from '@quire/core/ports'
import type { SqliteOptions } from './sqlite-options.ts'
import { createReserve } from './reserve.ts'

/** Checks that the disk of a database has space for more rows. */
export interface RowRoom {
  /**
   * Errors: StoreUnavailable `full` when fewer bytes are free than the minimum, which the message
   * names.
   */
  require(): Promise<void>
  /** Call when the disk is full all the same: deleting also needs some space. */
  ranOut(): void
  /** Call once the database is closed: the next start needs the space that its log released. */
  close(): void
}

export function createRowRoom(
  file: string,
  { minFreeBytes = defaultFloor, reservesSpace = false }: Omit<SqliteOptions, 'file'>,
): RowRoom {
  const reserve = createReserve(file)
  if (reservesSpace) reserve.takeOfPlenty()
  let isReserved = !reservesSpace
  const room = createRoom({
    look: () => statfs(dirname(file)),
    minFreeBytes,
    refuse: (_bytes, { freeBytes, floorBytes }) =>
      new StoreUnavailable(
        'full',
        `No room is left: ${freeBytes} bytes are free on the disk of the database, and ${floorBytes} must stay free (--min-free). Reads and deletes still work; free space to add more.`,
      ),
  })
  return {
    async require() {
      await room.require(0)
      if (isReserved) return
      isReserved = true
      reserve.take()
    },
    ranOut() {
      // Without a minimum, new rows would use up the released space at once.
      if (reservesSpace && minFreeBytes > 0) isReserved = !reserve.giveUp() && isReserved
    },
    close() {
      if (reservesSpace) reserve.take()
    },
  }
}
