import type { State } from './state.ts'
import {
  type EntityKind,
  type EntityRef,
  type Branch,
  type Entity,
  type IncomingEdge,
} from '../ports/index.ts'
import { isPublishedBranch } from '../adapters/published.ts'
import { compareText } from '../adapters/filters.ts'
import type { Head } from './head.ts'

/** The scope of the heads and slugs of a kind on a branch. */
export function kindScope({ repositoryId, packageId }: Branch, kind: EntityKind): string {
  return [repositoryId, packageId, kind].join('\n')
}

/** The scope of the packages that hold an entity. */
export function entityScope({ kind, id }: EntityRef): string {
  return [kind, id].join('\n')
}

/** The scope of the versions and moments of an entity on a branch. */
export function pastScope(branch: Branch, { kind, id }: EntityRef): string {
  return [kindScope(branch, kind), id].join('\n')
}

/** The scope of the entities on a branch that point at a target. */
export function targetScope({ repositoryId, packageId }: Branch, targetId: string): string {
  return [repositoryId, packageId, targetId].join('\n')
}

/** The head that the branch itself holds. */
export function ownHead(state: State, branch: Branch, { kind, id }: EntityRef): Head | null {
  return state.heads.get(kindScope(branch, kind), id) ?? null
}

/** The head visible on a branch: its own, or else main's. */
export function visibleHead(state: State, branch: Branch, ref: EntityRef): Head | null {
  const main = mainBelow(branch)
  return ownHead(state, branch, ref) ?? (main && ownHead(state, main, ref))
}

/** An entity with the read roles of main's head, if a package holds it. */
export function withMainReaders<E extends Omit<Entity, 'body' | 'json'>>(state: State, entity: E): E {
  const main = isPublishedBranch(entity) ? null : mainBelow(entity)
  const mainReaders = main && ownHead(state, main, entity)?.entity.roles.read
  return mainReaders && mainReaders.length > 0 ? { ...entity, mainReaders } : entity
}

/** All heads visible on a branch, including soft-deleted ones. */
export function* visibleHeads(state: State, branch: Branch, kind: EntityKind): Generator<Head> {
  yield* state.heads.values(kindScope(branch, kind))
  const main = mainBelow(branch)
  if (!main) return
  for (const head of state.heads.values(kindScope(main, kind)))
    if (!ownHead(state, branch, head.entity)) yield head
}

/**
 * The live heads with a slug that are visible on a branch, its own first. There are two only if
 * main started to use a package's slug.
 */
export function slugHolders(
  state: State,
  branch: Branch,
  { kind, slug }: { kind: EntityKind; slug: string },
): readonly Head[] {
  const own = ownHolder(state, branch, { kind, slug })
  const main = mainBelow(branch)
  const below = main && ownHolder(state, main, { kind, slug })
  const visible = below && !ownHead(state, branch, below.entity) ? below : null
  return [own, visible].filter((head) => head !== null)
}

function ownHolder(
  state: State,
  branch: Branch,
  { kind, slug }: { kind: EntityKind; slug: string },
): Head | null {
  const id = state.slugs.get(kindScope(branch, kind), slug)
  return id === undefined ? null : ownHead(state, branch, { kind, id })
}

/** The main branch that is visible below a package's own heads; null for main itself. */
function mainBelow({ repositoryId, packageId }: Branch): Branch | null {
  return packageId === null ? null : { repositoryId, packageId: null }
}

/**
 * The edges that point at a target, from live heads visible on the branch, ordered by source id,
 * then path.
 */
export function incomingEdges(state: State, branch: Branch, targetId: string): readonly IncomingEdge[] {
  const edges = visibleSources(state, branch, targetId)
    .filter(({ entity }) => entity.deletedDate === null)
    .flatMap(({ entity, edges }) =>
      edges
        .filter((edge) => edge.targetId === targetId)
        .map((edge) => ({ ...edge, source: withMainReaders(state, entity) })),
    )
  return edges.toSorted((a, b) => compareText(a.source.id, b.source.id) || compareText(a.path, b.path))
}

/** The heads visible on a branch that point at a target, including soft-deleted ones. */
export function visibleSources(state: State, branch: Branch, targetId: string): readonly Head[] {
  const own = sourcesOn(state, branch, targetId)
  const main = mainBelow(branch)
  if (!main) return own
  const below = sourcesOn(state, main, targetId)
  return [...own, ...below.filter(({ entity }) => !ownHead(state, branch, entity))]
}

function sourcesOn(state: State, branch: Branch, targetId: string): readonly Head[] {
  const refs = [...state.sources.values(targetScope(branch, targetId))]
  return refs.flatMap((ref) => ownHead(state, branch, ref) ?? [])
}
