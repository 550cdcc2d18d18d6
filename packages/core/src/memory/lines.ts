import type { EntityKind, EntityRef, Line } from '../ports/index.ts'
import type { Head } from './head.ts'
import type { State } from './state.ts'

/** Where a line keeps the heads and slugs of a kind. */
export function kindScope({ repositoryId, packageId }: Line, kind: EntityKind): string {
  return [repositoryId, packageId, kind].join('\n')
}

/** Where the packages that hold an entity are kept. */
export function entityScope({ kind, id }: EntityRef): string {
  return [kind, id].join('\n')
}

/** Where a line keeps the past of an entity. */
export function pastScope(line: Line, { kind, id }: EntityRef): string {
  return [kindScope(line, kind), id].join('\n')
}

/** Where a line keeps who points at a target. */
export function targetScope({ repositoryId, packageId }: Line, targetId: string): string {
  return [repositoryId, packageId, targetId].join('\n')
}

/** The head that the line itself holds. */
export function ownHead(state: State, line: Line, { kind, id }: EntityRef): Head | null {
  return state.heads.get(kindScope(line, kind), id) ?? null
}

/** The head that a line shows: its own, else main's. */
export function shownHead(state: State, line: Line, ref: EntityRef): Head | null {
  const main = mainBelow(line)
  return ownHead(state, line, ref) ?? (main && ownHead(state, main, ref))
}

/** Every head that a line shows, soft-deleted ones too. */
export function* shownHeads(state: State, line: Line, kind: EntityKind): Generator<Head> {
  yield* state.heads.values(kindScope(line, kind))
  const main = mainBelow(line)
  if (!main) return
  for (const head of state.heads.values(kindScope(main, kind)))
    if (!ownHead(state, line, head.entity)) yield head
}

/** The live heads with a slug that a line shows, the line's own first. More than one only where main took a package's slug. */
export function slugHolders(
  state: State,
  line: Line,
  { kind, slug }: { kind: EntityKind; slug: string },
): readonly Head[] {
  const own = ownHolder(state, line, { kind, slug })
  const main = mainBelow(line)
  const below = main && ownHolder(state, main, { kind, slug })
  const shown = below && !ownHead(state, line, below.entity) ? below : null
  return [own, shown].filter((head) => head !== null)
}

function ownHolder(
  state: State,
  line: Line,
  { kind, slug }: { kind: EntityKind; slug: string },
): Head | null {
  const id = state.slugs.get(kindScope(line, kind), slug)
  return id === undefined ? null : ownHead(state, line, { kind, id })
}

/** The main line that a package's line shows beneath its own heads; null for main itself. */
export function mainBelow({ repositoryId, packageId }: Line): Line | null {
  return packageId === null ? null : { repositoryId, packageId: null }
}
