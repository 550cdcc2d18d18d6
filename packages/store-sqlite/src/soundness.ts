import { StoreUnavailable } from '@quire/core/ports'
import { hasRoom } from './has-room.ts'
import { fullError, isDamage, sqliteCode, translate } from './sqlite-error.ts'

/** Whether a database can still be trusted, as far as any of its connections has found out. */
export interface Soundness {
  /** What an error of a connection is to those who use the store; from the first one on that tells of damage the database is not sound. */
  readonly meaningOf: (error: unknown) => unknown
  /** Errors: StoreUnavailable `damaged` once it is not. */
  require(): void
}

/** The soundness of a file that nothing is known of yet. `ranOut` is called when there was no room. */
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
 * What SQLite says when the disk is full where it did not look for that: as the index of the log grows (SHMSIZE, SHMMAP), and where a quota ends (WRITE).
 * Not FSYNC: what a sync has lost is lost, whatever the reason.
 */
const perhapsFull = /^SQLITE_IOERR_(?:SHMSIZE|SHMMAP|WRITE|TRUNCATE)$/

function withoutRoom(error: unknown, file: string): boolean {
  return perhapsFull.test(sqliteCode(error) ?? '') && !hasRoom(file)
}
