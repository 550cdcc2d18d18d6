import type { QueryMember } from '@quire/core/ports'
import { type Column, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Dialect } from '../dialect.ts'
import { type SqlPart, column, fixed } from './sql-part.ts'

/**
 * The members that the table of values also has, so that a list driven by a value need not read
 * heads.
 */
export const valueMembers = [
  'id',
  'type',
  'archived',
  'createdDate',
  'updatedDate',
] as const satisfies readonly QueryMember[]

/** Members by name; missing where the source does not have them. */
export type MemberSql = { readonly [M in QueryMember]?: SqlPart }

/**
 * The parts that list queries are built from. Fixed aliases: `h` heads, `v` the driving value, `f`
 * other values, `o` the same entity on another branch, `r` roles, `d` rows of documents.
 */
export type QueryColumns = ReturnType<typeof queryColumns>

/** Builds these parts from a dialect's columns. */
export function queryColumns({ tables, joinInOrder, forEachRow }: Dialect) {
  const h = alias(tables.heads, 'h')
  const v = alias(tables.fieldValues, 'v')
  const f = alias(tables.fieldValues, 'f')
  const o = alias(tables.heads, 'o')
  const r = alias(tables.headRoles, 'r')
  const d = alias(tables.searchRows, 'd')
  return {
    from: {
      heads: fixed('heads h', sql`${tables.heads} ${h}`),
      driving: fixed('field_values v', sql`${tables.fieldValues} ${v}`),
      values: fixed('field_values f', sql`${tables.fieldValues} ${f}`),
      other: fixed('heads o', sql`${tables.heads} ${o}`),
      roles: fixed('head_roles r', sql`${tables.headRoles} ${r}`),
      search: fixed('search', tables.search),
      rows: fixed('search_rows d', sql`${tables.searchRows} ${d}`),
    },
    lookUp: fixed('JOIN', joinInOrder),
    forEachRow: fixed('', forEachRow),
    heads: {
      ...memberPieces(h),
      head: column(h.head),
      branch: column(h.branch),
      kind: column(h.kind),
      limited: column(h.limited),
      deletedDate: column(h.deletedDate),
    },
    driving: {
      id: column(v.id),
      type: column(v.type),
      archived: column(v.archived),
      createdDate: column(v.createdDate),
      updatedDate: column(v.updatedDate),
      head: column(v.head),
      branch: column(v.branch),
      kind: column(v.kind),
      limited: column(v.limited),
      path: column(v.path),
      value: column(v.value),
    },
    values: { head: column(f.head), path: column(f.path), value: column(f.value) },
    other: {
      head: column(o.head),
      branch: column(o.branch),
      kind: column(o.kind),
      id: column(o.id),
      limited: column(o.limited),
    },
    roles: { head: column(r.head), role: column(r.role) },
    search: { row: column(tables.search.rowid) },
    rows: { row: column(d.row), head: column(d.head), branch: column(d.branch) },
  }
}

function memberPieces(h: { readonly [M in QueryMember]: Column }): { readonly [M in QueryMember]: SqlPart } {
  return {
    id: column(h.id),
    type: column(h.type),
    name: column(h.name),
    slug: column(h.slug),
    status: column(h.status),
    parentId: column(h.parentId),
    version: column(h.version),
    archived: column(h.archived),
    published: column(h.published),
    createdDate: column(h.createdDate),
    updatedDate: column(h.updatedDate),
    publishedDate: column(h.publishedDate),
    createdBy: column(h.createdBy),
    updatedBy: column(h.updatedBy),
  }
}
