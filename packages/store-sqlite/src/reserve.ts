import { randomBytes } from 'node:crypto'
import { closeSync, openSync, rmSync, statSync, statfsSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { isFull } from './has-room.ts'

/**
 * Room that is kept beside a database by a file that means nothing: SQLite cannot open a database without some room for the index of its log, and cannot delete
 * without some for the log. It is given up where a disk is full, and taken again when there is room.
 */
export interface Reserve {
  /** Gives it up; false where there was none. */
  giveUp(): boolean
  /** Takes as much of it as there is room for. */
  take(): void
  /** Takes it where as much again is free: not what was given up a moment ago. */
  takeOfPlenty(): void
}

/** 8 MiB: the log grows to as much before it begins anew. A hundredth of a disk where that is less. */
const RESERVE_BYTES = 8 * 1024 ** 2
const reservePart = 0.01

/** What is written at once; a file system could compress zeros to nothing. */
const PIECE_BYTES = 65_536

/** The reserve of a database file. */
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

/** A disk that is full keeps what came before that: a part of it is enough to begin on. */
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
