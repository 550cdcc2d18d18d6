import type { Locks } from '@quire/core/ports'
import type { Buffers } from './buffers.ts'
import type { Connection } from './connection.ts'
import type { Keys } from './keys.ts'

/** State that all operations on one open bucket share. */
export interface Location {
  readonly connection: Connection
  readonly keys: Keys
  /** Locks by hash: storing and removing a blob exclude each other. */
  readonly naming: Locks
  /** Buffers in which pieces are collected. */
  readonly buffers: Buffers
}
