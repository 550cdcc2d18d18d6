import { randomBytes } from 'node:crypto'
import { closeSync, openSync, rmSync, statSync, statfsSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { isFull } from './has-room.ts'

/**
 * Disk space reserved next to a database by a file of random bytes. SQLite cannot open a database
 * without space for the index of its log, and cannot delete rows without space for the log. The
 * reserve is released when the disk is full, and taken again when there is space.
 */
export interface Reserve {
  /** Releases the reserve; false when there was none. */
  giveUp(): boolean
  /** Takes as much of the reserve as fits on the disk. */
  take(): void
  /**
   * Takes the reserve only if twice its size is free, so not the space that was released a moment
   * ago.
   */
  takeOfPlenty(): void
}

/**
 * 8 MiB, the size to which the log grows before it starts over; or a hundredth of the disk, if that
 * is less.
 */
const RESERVE_BYTES = 8 * 1024 ** 2
const reservePart = 0.01

/**
 * Bytes written at once. They are random, because a file system could compress zeros to nothing.
 */
const PIECE_BYTES = 65_536

export function createReserve(file: string): Reserve {
  const path = `${file}.reserve`
  return {
    giveUp() {
      const had = sizeOf(path) > 0
      rmSync(path, { force: true })
      return had
    },
    take() {
      const { wanted } = volumeOf(file)
      if (sizeOf(path) < wanted) fill(path, wanted)
    },
    takeOfPlenty() {
      const { wanted, free } = volumeOf(file)
      if (sizeOf(path) < wanted && free >= 2 * wanted) fill(path, wanted)
    },
  }
}

function volumeOf(file: string): { readonly wanted: number; readonly free: number } {
  const { blocks, bavail, bsize } = statfsSync(dirname(file))
  return { wanted: Math.min(RESERVE_BYTES, Math.floor(blocks * bsize * reservePart)), free: bavail * bsize }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/**
 * When the disk fills up, what was written so far stays: part of a reserve is enough to start with.
 */
function fill(path: string, wanted: number): void {
  const descriptor = openSync(path, 'w', 0o600)
  try {
    const piece = randomBytes(PIECE_BYTES)
    for (let written = 0; written < wanted;)
      written += writeSync(descriptor, piece, 0, Math.min(piece.length, wanted - written))
  } catch (error) {
    if (!isFull(error)) throw error
  } finally {
    closeSync(descriptor)
  }
}
