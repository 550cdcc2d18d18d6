import type { Locks } from '@quire/core/ports'
import type { Buffers } from './buffers.ts'
import type { Connection } from './connection.ts'
import type { Keys } from './keys.ts'

/** What all work on one open bucket shares. */
export interface Location {
  readonly connection: Connection
  readonly keys: Keys
  /** By hash: a blob gets its name or loses it, one at a time. */
  readonly naming: Locks
  /** What comes in is gathered in. */
  readonly buffers: Buffers
}
