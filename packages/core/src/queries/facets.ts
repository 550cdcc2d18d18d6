import type { FacetValue, Issue } from '@quire/contract'
import { mayReadBy, type Permissions } from '../access/permissions.ts'
import type { Call } from '../call/call.ts'
import { invalid } from '../call/check-input.ts'
import { queryable, type QueryNames } from '../items/query.ts'
import type { EntityQuery, FacetCount, Line, QueryField } from '../ports/index.ts'

/** A facet by its name, and what it counts the values of. */
export interface Facet {
  readonly name: string
  readonly field: QueryField
}

// Of the others each item has its own, or next to.
const members = new Set(['type', 'status', 'folderId', 'categories'])

/** What facets count. Errors: `invalid` naming what is unknown, may not be read, or is not counted. */
export function facetsOf(names: QueryNames, asked: readonly string[]): Facet[] {
  const found = [...new Set(asked)].map((name): Facet | Issue => {
    const known = queryable(names, name, 'facets')
    if ('message' in known) return known
    if (members.has(name) || name.startsWith('fields.')) return { name, field: known.field }
    return { path: 'facets', message: `the values of "${name}" are not counted` }
  })
  const issues = found.filter((facet): facet is Issue => 'message' in facet)
  if (issues.length > 0) throw invalid(issues)
  return found.filter((facet): facet is Facet => 'field' in facet)
}

const defaultValues = 20

/** How often each value occurs among what matches and the caller may read; categories and folders with their names. */
export async function countFacets(
  call: Call,
  line: Line,
  { facets, query, limit }: { facets: readonly Facet[]; query: EntityQuery; limit: number | undefined },
): Promise<Record<string, FacetValue[]>> {
  const { kind, reader, filter, text, archived } = query
  const counts = await call.store.entities.facets(line, {
    kind,
    reader,
    ...(filter && { filter }),
    ...(text && { text }),
    archived,
    fields: facets.map(({ field }) => field),
    limit: limit ?? defaultValues,
  })
  const named = facets.map(async ({ name }, index): Promise<[string, FacetValue[]]> => {
    const values = counts[index] ?? []
    return [name, await withNames(call, line, { name, values })]
  })
  return Object.fromEntries(await Promise.all(named))
}

const namedKinds = { categories: 'category', folderId: 'folder' } as const

async function withNames(
  call: Call,
  line: Line,
  { name, values }: { name: string; values: readonly FacetCount[] },
): Promise<FacetValue[]> {
  if (name !== 'categories' && name !== 'folderId') return [...values]
  const ids = values.map(({ value }) => String(value))
  const heads = await call.store.entities.getMany(line, namedKinds[name], ids)
  const { permissions } = call.identity
  const seen = heads.filter((head) => head.deletedDate === null && mayName(permissions, head))
  const names = new Map(seen.map((head) => [head.id, head.name]))
  return values.map((value) => {
    const known = names.get(String(value.value))
    return known === undefined ? value : { ...value, name: known }
  })
}

function mayName(
  permissions: Permissions,
  head: Parameters<typeof mayReadBy>[2] & { kind: string },
): boolean {
  return mayReadBy(permissions, head.kind === 'folder' ? 'folders.read' : 'taxonomies.read', head)
}
