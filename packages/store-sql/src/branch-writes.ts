import type { Branch } from '@quire/core/ports'
import { sql } from 'drizzle-orm'
import type { Tables } from './dialect.ts'
import type { SqlDriver, SqlWriteDriver } from './driver.ts'
import type { Layer } from './layer.ts'
import type { BranchTable } from './branches.ts'
import { insertInto, selected } from './row-of.ts'

/** Writes to the table of branches. */
export interface BranchWrites {
  /** The number of a branch. A branch without a number gets one. */
  intern(layer: Layer, branch: Branch): Promise<number>
}

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

/**
 * Looks a branch up in the database and adds it to `into`, for branches that another process
 * created.
 */
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

/**
 * Reads all branches into a table, on each call. There are only as many branches as repositories
 * and packages.
 */
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
