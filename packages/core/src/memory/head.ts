import { isHeadPublished } from '../adapters/published.ts'
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
    mainReaders: _mainReaders,
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

function statusOf(entity: Entity): string {
  if (entity.archived) return 'archived'
  return isHeadPublished(entity) ? 'published' : 'draft'
}
