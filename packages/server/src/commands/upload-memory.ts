import { mkdir, readFile } from 'node:fs/promises'
import { writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { UploadOptions } from '@quire/client'

/** Remembers unfinished uploads, as a browser's storage does. */
export type UploadMemory = NonNullable<UploadOptions['memory']>

/**
 * Opens this user's memory of uploads: `quire/uploads.json` in the cache folder (XDG Base
 * Directory).
 */
export async function openUploadMemory(
  file = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'quire', 'uploads.json'),
): Promise<UploadMemory> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const known = await readKnown(file)
  const save = () =>
    writeFileSync(file, `${JSON.stringify(Object.fromEntries(known), null, 2)}\n`, { mode: 0o600 })
  return {
    getItem: (key) => known.get(key) ?? null,
    setItem(key, id) {
      known.set(key, id)
      save()
    },
    removeItem(key) {
      known.delete(key)
      save()
    },
  }
}

/**
 * The part of a memory for one file, by full path, at one service. Files with the same name, size
 * and date are therefore not confused.
 */
export function memoryOf(memory: UploadMemory, { url, path }: { url: string; path: string }): UploadMemory {
  const located = (key: string) => `${url.replace(/\/+$/, '')} ${path} ${key}`
  return {
    getItem: (key) => memory.getItem(located(key)),
    setItem: (key, id) => memory.setItem(located(key), id),
    removeItem: (key) => memory.removeItem(located(key)),
  }
}

/** A missing or unreadable file is an empty memory: uploads then start again. */
async function readKnown(file: string): Promise<Map<string, string>> {
  try {
    const stored: unknown = JSON.parse(await readFile(file, 'utf8'))
    const entries = Object.entries(typeof stored === 'object' && stored !== null ? stored : {})
    return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
  } catch {
    return new Map()
  }
}
