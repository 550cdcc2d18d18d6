import type {
  Branch,
  EntityKind,
  EntityQuery,
  EntityWrite,
  Filter,
  QueryField,
  QueryValue,
} from '@quire/core/ports'

/** Something in one branch. */
function inBranch({ repositoryId, packageId }: Branch, what: string): string {
  return `${repositoryId}/${packageId ?? ''} ${what}`
}

/** The branches that a read of a branch looks in. */
export function visibleFrom(branch: Branch): readonly Branch[] {
  if (branch.packageId === null) return [branch]
  return [branch, { repositoryId: branch.repositoryId, packageId: null }]
}

/** The keys of entities in the branches that a read looks in. */
export const entityKeys = {
  /** A head, of whatever kind, with its versions, moments, edges and search document. */
  head: (branch: Branch, id: string) => inBranch(branch, `head ${id}`),
  /** A head on any branch. */
  anywhere: (id: string) => `anywhere ${id}`,
  slug: (branch: Branch, kind: EntityKind, slug: string) => inBranch(branch, `slug ${kind} ${slug}`),
  /** All heads of a kind. */
  kind: (branch: Branch, kind: EntityKind) => inBranch(branch, `kind ${kind}`),
  type: (branch: Branch, kind: EntityKind, type: string) => inBranch(branch, `type ${kind} ${type}`),
  /** The heads below a parent; null: those without one. */
  parent: (branch: Branch, kind: EntityKind, parentId: string | null) =>
    inBranch(branch, `parent ${kind} ${parentId ?? ''}`),
  /** The heads that have a value. */
  value: (branch: Branch, kind: EntityKind, value: { path: string; value: QueryValue | null }) =>
    inBranch(branch, `value ${kind} ${value.path} ${typeof value.value} ${value.value}`),
  /** The edges that point at an entity. */
  target: (branch: Branch, targetId: string) => inBranch(branch, `target ${targetId}`),
  /** All heads that exactly this branch holds. */
  own: (branch: Branch) => inBranch(branch, 'own'),
  /** Purges, after which a package shows heads of main again. */
  purges: (branch: Branch) => inBranch(branch, 'purges'),
  /** The role lists that name a role. */
  role: (role: string) => `role ${role}`,
  /** Large values that versions begin to need, and those that no version may need any more. */
  valuesNeeded: 'values needed',
  valuesForgotten: 'values forgotten',
  /** Files that versions begin to need, and texts that were deleted. */
  filesNeeded: 'files needed',
  textsForgotten: 'texts forgotten',
} as const

/** What a write of a head reads: see `EntityWriter.put`. */
export function keysReadByPut(entity: EntityWrite): string[] {
  const { kind, id, slug } = entity
  const branches = visibleFrom(entity)
  return [
    entityKeys.head(entity, id),
    entityKeys.anywhere(id),
    entityKeys.purges(entity),
    ...(slug === null ? [] : branches.map((branch) => entityKeys.slug(branch, kind, slug))),
    ...(entity.search?.file ? [entityKeys.textsForgotten] : []),
  ]
}

/** What a write of a head changes. */
export function keysWrittenByPut(entity: EntityWrite): string[] {
  const { kind, id, type, slug, parentId, roles, values, edges, blobs = [] } = entity
  return [
    entityKeys.head(entity, id),
    entityKeys.anywhere(id),
    entityKeys.kind(entity, kind),
    entityKeys.type(entity, kind, type),
    entityKeys.parent(entity, kind, parentId),
    entityKeys.own(entity),
    ...(slug === null ? [] : [entityKeys.slug(entity, kind, slug)]),
    ...values.map((value) => entityKeys.value(entity, kind, value)),
    ...edges.map(({ targetId }) => entityKeys.target(entity, targetId)),
    ...[...roles.read, ...roles.write, ...roles.delete].map(entityKeys.role),
    ...(blobs.length > 0 ? [entityKeys.filesNeeded] : []),
  ]
}

/**
 * The keys of a list, without those of the heads that it returns. A head that begins to match was
 * written with everything that the filter requires, so one required property is enough.
 */
export function keysOfList(branch: Branch, { kind, filter, reader }: EntityQuery): string[] {
  const required = (filter && requiredBy(filter)) ?? requiredByTypes(reader.types)
  return visibleFrom(branch).flatMap((one) => [
    entityKeys.purges(one),
    ...(required ? required.map((key) => key(one, kind)) : [entityKeys.kind(one, kind)]),
  ])
}

type KeyIn = (branch: Branch, kind: EntityKind) => string

/** Properties of which every match of a filter has at least one. Null if none is known. */
function requiredBy(filter: Filter): readonly KeyIn[] | null {
  if ('all' in filter) return firstOf(filter.all, requiredBy)
  if (!('op' in filter)) return null
  const { field, op, value } = filter
  if (op === 'eq') return requiredByValues(field, [value])
  if (op === 'in') return requiredByValues(field, value)
  const isTop = op === 'exists' && !value && 'member' in field && field.member === 'parentId'
  return isTop ? [(branch, kind) => entityKeys.parent(branch, kind, null)] : null
}

function requiredByValues(field: QueryField, values: readonly QueryValue[]): readonly KeyIn[] | null {
  if ('path' in field)
    return values.map(
      (value): KeyIn =>
        (branch, kind) =>
          entityKeys.value(branch, kind, { path: field.path, value }),
    )
  if (field.member === 'parentId')
    return values.map(
      (value): KeyIn =>
        (branch, kind) =>
          entityKeys.parent(branch, kind, String(value)),
    )
  return field.member === 'type' ? requiredByTypes(values.map(String)) : null
}

function requiredByTypes(types: 'all' | readonly string[]): readonly KeyIn[] | null {
  if (types === 'all') return null
  return types.map(
    (type): KeyIn =>
      (branch, kind) =>
        entityKeys.type(branch, kind, type),
  )
}

function firstOf<T, R>(all: readonly T[], find: (one: T) => R | null): R | null {
  for (const one of all) {
    const found = find(one)
    if (found !== null) return found
  }
  return null
}
