import { createHash } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, rmdir, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  type DerivedBlob,
  type DerivedBlobs,
  type DerivedName,
  isHash,
  isRecipe,
  type StoredBlob,
} from '@quire/core/ports'
import { findOnDisk, onDisk, systemCode } from './disk-error.ts'
import { identityOf } from './known.ts'
import { sortedFolders } from './list-blobs.ts'
import { type OpenedBlob, verifyOpened } from './opened-blob.ts'
import { derivedFile, derivedFolder, fileMode, folderMode, type Paths } from './paths.ts'
import { writePiece } from './chunks.ts'
import type { Location } from './location.ts'
import { readSmallOr } from './read-blob.ts'

/**
 * Files derived from blobs: one file each, named in one step, so that it is complete or absent. The
 * modification time of a file is the time of its last use.
 */
export function derivedBlobs(location: Location): DerivedBlobs {
  const { paths } = location
  return {
    find: (name) => findDerived(location, name),
    retain: (name, bytes) => storeDerived(location, name, bytes),
    read: async ({ hash, ...name }, range) =>
      readSmallOr(location, { hash, range, open: () => openOf(location, name, hash) }),
    verify: async (name) => verifyOpened(location, await openDerived(location, name)),
    async use(name) {
      const now = new Date()
      await findOnDisk(utimes(derivedFile(paths, name), now, now))
    },
    remove: (name) => removeDerived(location, name),
    forget: (source) => forgetDerived(location, source),
    list: () => listDerived(paths),
  }
}

/**
 * The trailer after the bytes: their hash, and a line end that proves that the file is complete.
 * After a power loss a file may be short or full of zeros.
 */
const endPattern = /^([0-9a-f]{64})\n$/
const endLength = 65

interface OpenedDerived extends OpenedBlob {
  /** Unix ms. */
  readonly usedDate: number
}

/** Opens a derived file; null when it is absent or incomplete. The caller must close the handle. */
async function openDerived({ paths }: Location, name: DerivedName): Promise<OpenedDerived | null> {
  const handle = await findOnDisk(open(derivedFile(paths, name), 'r'))
  if (!handle) return null
  try {
    const stats = await onDisk(handle.stat({ bigint: true }))
    const size = Number(stats.size) - endLength
    const end = Buffer.alloc(endLength)
    if (size >= 0) await onDisk(handle.read(end, 0, endLength, size))
    const [, hash] = endPattern.exec(end.toString('latin1')) ?? []
    if (hash !== undefined)
      return { hash, handle, size, identity: identityOf(stats), usedDate: Number(stats.mtimeMs) }
  } catch (error) {
    await handle.close()
    throw error
  }
  await handle.close()
  return null
}

/** As `openDerived`, but also null when the file has other bytes. */
async function openOf(location: Location, name: DerivedName, hash: string): Promise<OpenedBlob | null> {
  const opened = await openDerived(location, name)
  if (!opened || opened.hash === hash) return opened
  await opened.handle.close()
  return null
}

async function findDerived(location: Location, { source, recipe }: DerivedName): Promise<DerivedBlob | null> {
  const opened = await openDerived(location, { source, recipe })
  if (!opened) return null
  await opened.handle.close()
  const { hash, size, usedDate } = opened
  return { source, recipe, hash, size, usedDate }
}

/**
 * Stores a derived file. The bytes become durable before the name: otherwise a part of a file that
 * a power loss filled with zeros could be read unchecked. The name need not be durable.
 */
async function storeDerived(location: Location, name: DerivedName, bytes: Uint8Array): Promise<StoredBlob> {
  const file = derivedFile(location.paths, name)
  location.durability.requireSound()
  await location.room.require(bytes.length)
  const hash = createHash('sha256').update(bytes).digest('hex')
  const temp = location.temps.next()
  try {
    await writeDerived(location, temp, [bytes, Buffer.from(`${hash}\n`)])
    await nameDerived(temp, file)
  } finally {
    await location.temps.drop(temp)
  }
  return { hash, size: bytes.length }
}

async function writeDerived(
  { durability }: Location,
  temp: string,
  pieces: readonly Uint8Array[],
): Promise<void> {
  const handle = await onDisk(open(temp, 'wx', fileMode))
  try {
    let end = 0
    for (const piece of pieces) {
      await writePiece(handle, piece, end)
      end += piece.length
    }
    await durability.file(handle)
  } finally {
    await handle.close()
  }
}

/**
 * How often the folder is created again when it is removed between the two steps. Each try fails
 * only if that happens again. When many callers forgot the same source at the same time, it
 * happened five times in a row.
 */
const tries = 100

async function nameDerived(temp: string, file: string): Promise<void> {
  for (let left = tries; left > 1; left -= 1) {
    if (await findOnDisk(moveDerived(temp, file))) return
  }
  await onDisk(moveDerived(temp, file))
}

/** Either step fails when the folder is removed in between, or within the first step. */
async function moveDerived(temp: string, file: string): Promise<true> {
  await mkdir(dirname(file), { recursive: true, mode: folderMode })
  await rename(temp, file)
  return true
}

/**
 * Removes a derived file, and its folder when it was the last one. A reader that has it open can
 * still read it to its end; its space is freed after that.
 */
async function removeDerived(location: Location, name: DerivedName): Promise<void> {
  const found = await findDerived(location, name)
  await onDisk(rm(derivedFile(location.paths, name), { force: true }))
  if (found) location.known.small.delete(found.hash)
  try {
    await rmdir(derivedFolder(location.paths, name.source))
  } catch (error) {
    if (!isInUse.has(systemCode(error) ?? '')) throw error
  }
}

/**
 * Codes for a folder that is not empty, that is already gone, or (on Windows) that somebody reads.
 */
const isInUse: ReadonlySet<string> = new Set(['ENOTEMPTY', 'EEXIST', 'ENOENT', 'EBUSY', 'EPERM'])

/**
 * Removes the whole folder in one step. A file that is stored meanwhile goes to a new folder, so no
 * folder is removed while it is being filled.
 */
async function forgetDerived({ paths, temps }: Location, source: string): Promise<void> {
  const temp = temps.next()
  await findOnDisk(rename(derivedFolder(paths, source), temp))
  await temps.drop(temp)
}

async function* listDerived({ derived }: Paths): ReturnType<DerivedBlobs['list']> & AsyncGenerator {
  for (const first of await sortedFolders(derived)) {
    const sources = (await findOnDisk(readdir(join(derived, first)))) ?? []
    for (const source of sources.filter(isHash)) yield* derivedIn(join(derived, first, source), source)
  }
}

async function* derivedIn(folder: string, source: string): AsyncGenerator<Omit<DerivedBlob, 'hash'>> {
  const recipes = (await findOnDisk(readdir(folder))) ?? []
  for (const recipe of recipes.filter(isRecipe)) {
    const stats = await findOnDisk(stat(join(folder, recipe)))
    if (!stats) continue
    const size = Math.max(0, stats.size - endLength)
    yield { source, recipe, size, usedDate: Math.floor(stats.mtimeMs) }
  }
}
