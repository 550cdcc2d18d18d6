import { limits } from '@quire/contract'
import { Serialized } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { headTag } from '../../engine/if-match.ts'
import { badCursor, decodeCursor, encodeCursor } from '../../engine/paging.ts'
import type { Scope } from '../../engine/scope.ts'
import { changedBy, duePackages, requireUnchanged, scopeOfDue } from '../kinds/due-packages.ts'
import { momentVisible, versionOf, type VisibleVersion } from '../kinds/versions.ts'
import {
  type Entity,
  type EntityVersion,
  type Filter,
  type PageCursor,
  type Reader,
} from '../../ports/index.ts'
import { textQueryOf } from '../../adapters/words.ts'
import type { AncestorLookup } from './ancestors.ts'
import { findStructure, noSuch, openStructure, type StructureRef } from './find.ts'
import type { StructureKind, StructureName, StructureShapes } from './kind.ts'
import {
  parseStored,
  storedText,
  parentLookup,
  serializeOne,
  serializeStored,
  withPaths,
  type StructureJson,
} from './json.ts'

/** The input of a list by name. */
export interface NameListInput {
  readonly text?: string | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly skipCount?: boolean | undefined
}

/** The answer of a list. */
export interface Listed<T> {
  count?: number
  items: T[]
  nextCursor?: string
}

/** What to list. */
interface ListOptions<K extends StructureName> {
  readonly rules: StructureKind<K>
  readonly filter?: Filter
  readonly input: NameListInput
  /** Default: all entities. */
  readonly reader?: Reader
}

const everyone: Reader = { types: 'all', roles: 'all' }

/** Lists entities of a kind by name. Errors: `invalid` for a cursor of another list. */
export async function listByName<K extends StructureName>(
  call: Call,
  { branch }: Scope,
  { rules, filter, input, reader = everyone }: ListOptions<K>,
): Promise<Serialized<Listed<StructureShapes[K]>>> {
  const { entities, count, next } = await call.store.entities.list(branch, {
    kind: rules.kind,
    reader,
    ...(filter && { filter }),
    ...(input.text !== undefined && { text: textQueryOf(input.text) }),
    archived: true,
    sort: [{ field: { member: 'name' }, descending: false }],
    limit: input.limit ?? limits.pageDefault,
    ...(input.cursor !== undefined && { after: decodePosition(input.cursor) }),
    count: input.skipCount !== true,
  })
  const items = await withPaths(parentLookup(call, branch, rules), entities.map(parseStored))
  const nextCursor = next && encodeCursor([next.values[0], next.id])
  return serializeList({ count, items, nextCursor })
}

interface StoredList {
  readonly count: number | undefined
  readonly items: readonly StructureJson[]
  readonly nextCursor: string | undefined
}

/** Serializes the answer of a list. Leaves out absent members. */
export function serializeList<T>(
  list: StoredList & { readonly count: number },
): Serialized<Listed<T> & { count: number }>
export function serializeList<T>(list: StoredList): Serialized<Listed<T>>
export function serializeList<T>(list: StoredList): Serialized<Listed<T>> {
  return new Serialized(JSON.stringify(list), null)
}

function decodePosition(cursor: string): PageCursor {
  const position = decodeCursor(cursor)
  const [name, id]: unknown[] = Array.isArray(position) ? position : []
  if (typeof name !== 'string' || typeof id !== 'string') throw badCursor()
  return { values: [name], id }
}

/** Reads an entity, now or as it was at a time (Unix ms). Errors: `not_found`, `forbidden`. */
export async function readStructure<K extends StructureName>(
  call: Call,
  { id, at, ...ref }: StructureRef & { readonly at?: number | undefined },
  rules: StructureKind<K>,
): Promise<Serialized<StructureShapes[K]>> {
  const scope = await openStructure(call, ref, [rules.keys.read])
  if (at !== undefined && at !== call.now) return serializeAt(call, scope, { rules, id, at })
  return serializeOne(call, scope.branch, { rules, head: await findStructure(call, scope, { rules, id }) })
}

/**
 * Serializes an entity as it was or will be at a time (Unix ms), with its path of that time. Errors:
 * `not_found` if it does not exist then; `merge_conflict`.
 */
export async function serializeAt<K extends StructureName>(
  call: Call,
  scope: Scope,
  { rules, id, at }: { rules: StructureKind<K>; id: string; at: number },
): Promise<Serialized<StructureShapes[K]>> {
  if (at > call.now) return serializeToCome(call, scope, { rules, id, at })
  const then = await pastHead(call, scope, { kind: rules.kind, id, at })
  if (!then) throw noSuch(rules)
  const { head, visible } = then
  const packageName = visible.packageId === null ? null : (scope.package?.name ?? null)
  const stored: StructureJson = JSON.parse(storedText(rules, head, { visible, packageName }))
  return serializeStored(pastLookup(call, scope, { rules, at }), {
    stored,
    tag: `${headTag(head)}.v${visible.version}`,
  })
}

/**
 * As the packages make it that merge until then, with the path that it has in the last of them. Without
 * a tag: their schedules can change while the entity does not.
 */
async function serializeToCome<K extends StructureName>(
  call: Call,
  scope: Scope,
  { rules, id, at }: { rules: StructureKind<K>; id: string; at: number },
): Promise<Serialized<StructureShapes[K]>> {
  let shown = scope
  let head = await call.store.entities.get(scope.branch, rules.kind, id)
  for (const found of await duePackages(call, scope, at)) {
    const changed = await changedBy(call, found, { kind: rules.kind, id })
    if (!changed) continue
    requireUnchanged(found, changed, head)
    head = changed
    shown = scopeOfDue(scope, found)
  }
  if (!head || head.deletedDate !== null) throw noSuch(rules)
  return new Serialized((await serializeOne(call, shown.branch, { rules, head })).text, null)
}

/** The lookup of the ancestors of a kind as they were at a time; null for a kind without parents. */
export function pastLookup(
  call: Call,
  scope: Scope,
  { rules: { parent }, at }: { rules: Pick<StructureKind, 'parent'>; at: number },
): AncestorLookup | null {
  if (!parent) return null
  return async (ids) => {
    const found = new Map<string, EntityVersion>()
    for (const id of ids) {
      const past = await pastHead(call, scope, { kind: parent.kind, id, at })
      if (past) found.set(id, past.visible)
    }
    return found
  }
}

/** A head with the version that it showed at a time; null if it did not exist then. */
export async function pastHead(
  call: Call,
  { branch }: Scope,
  { kind, id, at }: { kind: StructureName; id: string; at: number },
): Promise<{ head: Entity; visible: VisibleVersion } | null> {
  const { entities } = call.store
  const head = await entities.get(branch, kind, id)
  const moment = head && (await momentVisible(entities, head, at))
  if (!moment || moment.deleted) return null
  const visible = await versionOf(entities, head, moment.version)
  return visible && { head, visible }
}
