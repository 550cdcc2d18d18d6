import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type DerivedBlob,
  type DerivedBlobs,
  isHash,
  isRecipe,
  requireHash,
  type StoredBlob,
} from '@quire/core/ports'
import { findOnDisk, onDisk } from './disk-error.ts'
import { sortedFolders } from './list-blobs.ts'
import { derivedFile, derivedFolder, fileMode, folderMode, type Paths } from './paths.ts'
import type { Place } from './place.ts'

/** What was made of which blob: one small file each, named in one step, so that an entry is whole or absent. None is made durable: it can be made again. */
export function derivedBlobs(place: Place): DerivedBlobs {
  const { paths } = place
  return {
    find: async (source, recipe) => readEntry(derivedFile(paths, source, recipe)),
    keep: (entry) => keepEntry(place, entry),
    forget: (source) => forgetEntries(place, source),
    list: () => listEntries(paths),
  }
}

/** The line end says that the rest is all there: after a power loss a file may be short or full of zeros. */
const entryPattern = /^([0-9a-f]{64}) ([0-9]{1,16})\n$/

async function readEntry(file: string): Promise<StoredBlob | null> {
  const text = await findOnDisk(readFile(file, 'latin1'))
  const [, hash, size] = entryPattern.exec(text ?? '') ?? []
  return hash === undefined ? null : { hash, size: Number(size) }
}

async function keepEntry(place: Place, { source, recipe, blob }: DerivedBlob): Promise<void> {
  const file = derivedFile(place.paths, source, recipe)
  requireHash(blob.hash)
  place.durability.requireSound()
  const temp = place.temps.next()
  try {
    await onDisk(writeFile(temp, `${blob.hash} ${blob.size}\n`, { mode: fileMode, flag: 'wx' }))
    await nameEntry(temp, file, derivedFolder(place.paths, source))
  } finally {
    await place.temps.drop(temp)
  }
}

/** How often a folder is made anew when `forget` removes it between the two steps. Each try fails only when it does so again. */
const tries = 5

async function nameEntry(temp: string, file: string, folder: string): Promise<void> {
  for (let left = tries; left > 1; left -= 1) {
    if (await findOnDisk(placeEntry(temp, file, folder))) return
  }
  await onDisk(placeEntry(temp, file, folder))
}

/** Both steps find the folder gone when it is taken away between them, or within the first. */
async function placeEntry(temp: string, file: string, folder: string): Promise<true> {
  await mkdir(folder, { recursive: true, mode: folderMode })
  await rename(temp, file)
  return true
}

/** Takes the folder away in one step: what is kept meanwhile goes to a new one, and none is removed while it fills. */
async function forgetEntries({ paths, temps }: Place, source: string): Promise<void> {
  const temp = temps.next()
  await findOnDisk(rename(derivedFolder(paths, source), temp))
  await temps.drop(temp)
}

async function* listEntries({ derived }: Paths): AsyncGenerator<DerivedBlob> {
  for (const first of await sortedFolders(derived)) {
    const sources = (await findOnDisk(readdir(join(derived, first)))) ?? []
    for (const source of sources.filter(isHash)) yield* entriesOf(join(derived, first, source), source)
  }
}

async function* entriesOf(folder: string, source: string): AsyncGenerator<DerivedBlob> {
  const recipes = (await findOnDisk(readdir(folder))) ?? []
  for (const recipe of recipes.filter(isRecipe)) {
    const blob = await readEntry(join(folder, recipe))
    if (blob) yield { source, recipe, blob }
  }
}
