import type { Branch } from '@quire/core/ports'
import { sql } from 'drizzle-orm'
import type { Tables } from './dialect.ts'
import type { SqlDriver, SqlWriteDriver } from './driver.ts'
import type { Layer } from './layer.ts'
import type { BranchTable } from './branches.ts'
import { insertInto, selected } from './row-of.ts'

/** Writes of the table of branches. */
export interface BranchWrites {
  /** The number of a branch, given now when it has none. */
  intern(layer: Layer, branch: Branch): Promise<number>
}

/** Prepares the writes of branches. */
export function prepareBranchWrites(driver: SqlWriteDriver, { branches }: Tables): BranchWrites {
  const { repositoryId, packageId } = branches
  const insert = driver.prepare<readonly [number]>(
    sql`${insertInto(branches, { repositoryId, packageId })} RETURNING ${sql.identifier('id')}`,
  )
  return {
    async intern(layer, branch) {
      const known = layer.branches.numberOf(branch)
      if (known !== null) return known
      const row = await insert.get({ repositoryId: branch.repositoryId, packageId: branch.packageId })
      if (!row) throw new TypeError('An inserted branch returns its number.')
      layer.branches.add(row[0], branch)
      return row[0]
    },
  }
}

/** Adds a branch to a table where another process has begun it. */
export function prepareFindBranch(
  driver: SqlDriver,
  { branches }: Tables,
  into: BranchTable,
): (branch: Branch) => Promise<void> {
  const [repositoryId, packageId] = [sql.placeholder('repositoryId'), sql.placeholder('packageId')]
  const find = driver.prepare<readonly [number]>(
    sql`SELECT ${branches.id} FROM ${branches} WHERE ${branches.repositoryId} = ${repositoryId} AND coalesce(${branches.packageId}, '') = ${packageId}`,
  )
  return async (branch) => {
    const row = await find.get({ repositoryId: branch.repositoryId, packageId: branch.packageId ?? '' })
    if (row) into.add(row[0], branch)
  }
}

/** Fills a table with every branch there is, each time it is called. Branches are as few as repositories and packages. */
export function prepareLoadBranches(
  driver: SqlDriver,
  { branches }: Tables,
  into: BranchTable,
): () => Promise<void> {
  const columns = [branches.id, branches.repositoryId, branches.packageId] as const
  const all = driver.prepare<readonly [number, string, string | null]>(
    sql`SELECT ${selected(columns)} FROM ${branches}`,
  )
  return async () => {
    for (const [number, repositoryId, packageId] of await all.all())
      into.add(number, { repositoryId, packageId })
  }
}
