import type { Indexed } from './indexed.ts'
import type { Edge, Entity, EntityWrite, QueryField, QueryMember, QueryValue } from '../ports/index.ts'

/** A stored head, with the values that filters, sorts and searches use. */
export interface Head {
  readonly entity: Entity
  /** Present values by path. */
  readonly values: ReadonlyMap<string, readonly QueryValue[]>
  readonly edges: readonly Edge[]
  /** Null while the head is deleted or has no search document. */
  readonly found: Indexed | null
}

/** The stored form of a written head, except its search entry. */
export function headOf(write: EntityWrite): Omit<Head, 'found'> {
  const {
    values,
    edges,
    search: _search,
    writtenDate: _date,
    blobs: _blobs,
    fileBytes: _bytes,
    givesBack: _givesBack,
    ...entity
  } = write
  return {
    entity,
    values: valuesByPath(values),
    edges: [...new Map(edges.map((edge) => [`${edge.path}\n${edge.targetId}`, edge])).values()],
  }
}

/** The present values of a field: none, one, or those of a list. */
export function valuesOf({ entity, values }: Head, field: QueryField): readonly QueryValue[] {
  if ('path' in field) return values.get(field.path) ?? []
  const value = memberOf(entity, field.member)
  return value === null ? [] : [value]
}

function valuesByPath(rows: EntityWrite['values']): ReadonlyMap<string, readonly QueryValue[]> {
  const byPath = new Map<string, QueryValue[]>()
  for (const { path, value } of rows) {
    if (value === null) continue
    const values = byPath.get(path)
    if (values) values.push(value)
    else byPath.set(path, [value])
  }
  return byPath
}

function memberOf(entity: Entity, member: QueryMember): QueryValue | null {
  if (member === 'status') return statusOf(entity)
  if (member === 'published') return entity.publishedVersion !== null
  if (member === 'createdBy' || member === 'updatedBy') return entity[member].userName
  return entity[member]
}

function statusOf({ archived, publishedVersion, version }: Entity): string {
  if (archived) return 'archived'
  return publishedVersion === version ? 'published' : 'draft'
}

/** Order of two values: absent first, then false, true, numbers, and text by code point. */
export function compareValues(a: QueryValue | null, b: QueryValue | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  if (typeof a !== typeof b) return kinds.indexOf(typeof a) - kinds.indexOf(typeof b)
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  return Number(a) - Number(b)
}

const kinds: readonly string[] = ['boolean', 'number', 'string']

/**
 * Compares by Unicode code point, like UTF-8 bytes; UTF-16 code units order surrogates before
 * U+E000 to U+FFFF.
 */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const difference = rank(a.charCodeAt(index)) - rank(b.charCodeAt(index))
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

// Surrogates represent code points above all others, so they are moved after U+FFFF.
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
