import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createQuire, systemIdentity } from '@quire/core'
import { memorySecrets } from '@quire/core/memory'
import { openSqliteStore } from '@quire/store-sqlite'
import { ensureAdministrator } from '../administrator-account.ts'
import { seedContent, type SeededItems } from './seed-content.ts'

/** A data folder with a package that is ready to be merged. */
export interface Seed {
  readonly folder: string
  /** The number of changes in the package. */
  readonly size: number
  readonly items: SeededItems
}

/**
 * Creates a data folder like the service's own through the engine, with the drivers' administrator.
 */
export async function seedFolder(folder: string, size: number): Promise<Seed> {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'server.key'), randomBytes(32), { mode: 0o600 })
  const store = await openSqliteStore({ file: databaseIn(folder) })
  const secrets = secretsIn(folder)
  await ensureAdministrator(store, secrets)
  const quire = createQuire({ store, secrets })
  const items = await seedContent(quire.as(systemIdentity('driver')), size)
  await quire.close()
  return { folder, size, items }
}

/** Copies a seed, so that the copy can be killed. */
export function copySeed(seed: Seed, folder: string): Seed {
  cpSync(seed.folder, folder, { recursive: true })
  return { ...seed, folder }
}

/** The database file of a data folder. */
export function databaseIn(folder: string): string {
  return join(folder, 'quire.db')
}

/** The secrets of a data folder, as the service uses them. */
export function secretsIn(folder: string) {
  return memorySecrets(new Uint8Array(readFileSync(join(folder, 'server.key'))))
}
