import { StoreUnavailable } from '@quire/core/ports'
import { hasRoom } from './has-room.ts'
import { fullError, isDamage, sqliteCode, translate } from './sqlite-error.ts'

/** Whether a database can still be trusted, judging by the errors of all its connections. */
export interface Soundness {
  /**
   * Maps a connection's error to the store's error. After the first error that indicates damage,
   * the database counts as damaged.
   */
  readonly meaningOf: (error: unknown) => unknown
  /** Errors: StoreUnavailable `damaged` once damage was found. */
  require(): void
}

/** Starts without known damage. `ranOut` is called when the disk was full. */
export function createSoundness(file: string, ranOut: () => void = () => undefined): Soundness {
  let damage: StoreUnavailable | null = null
  return {
    meaningOf(error) {
      const meaning = withoutRoom(error, file) ? fullError(error) : translate(error)
      if (isDamage(meaning)) damage ??= meaning
      if (meaning instanceof StoreUnavailable && meaning.kind === 'full') ranOut()
      return meaning
    },
    require() {
      if (damage) throw damage
    },
  }
}

/**
 * Errors that SQLite reports when a disk is full in places where it does not check for that: when
 * the index of the log grows (SHMSIZE, SHMMAP), and when a quota is reached (WRITE). Not FSYNC:
 * data that a failed sync lost is lost, whatever the reason.
 */
const perhapsFull = /^SQLITE_IOERR_(?:SHMSIZE|SHMMAP|WRITE|TRUNCATE)$/

function withoutRoom(error: unknown, file: string): boolean {
  return perhapsFull.test(sqliteCode(error) ?? '') && !hasRoom(file)
}
