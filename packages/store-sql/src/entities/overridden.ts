import { type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Tables } from '../dialect.ts'

/** Whether a head on main is not overridden by the branch in the placeholder `over`. */
export function notOverridden({ heads }: Tables): SQL {
  const o = alias(heads, 'o')
  return sql`NOT EXISTS (SELECT 1 FROM ${heads} ${o} WHERE ${o.branch} = ${sql.placeholder('over')} AND ${o.kind} = ${heads.kind} AND ${o.id} = ${heads.id})`
}
