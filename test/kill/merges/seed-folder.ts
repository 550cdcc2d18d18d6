import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createQuire, systemIdentity } from '@quire/core'
import { memorySecrets } from '@quire/core/memory'
import { openSqliteStore } from '@quire/store-sqlite'
import { ensureAdministrator } from '../administrator-account.ts'
import { seedContent, type SeededItems } from './seed-content.ts'

/** A data folder with a package that waits to be merged. */
export interface Seed {
  readonly folder: string
  /** How many changes the package holds. */
  readonly size: number
  readonly items: SeededItems
}

/** Makes a data folder as the service would have left it, through the engine, with the drivers' administrator. */
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

/** The same once more, to be killed over. */
export function copySeed(seed: Seed, folder: string): Seed {
  cpSync(seed.folder, folder, { recursive: true })
  return { ...seed, folder }
}

/** The database of a data folder. */
export function databaseIn(folder: string): string {
  return join(folder, 'quire.db')
}

/** The secrets of a data folder, as the service has them. */
export function secretsIn(folder: string) {
  return memorySecrets(new Uint8Array(readFileSync(join(folder, 'server.key'))))
}
