import { limits } from '@quire/contract'
import { Serialized } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { headTag } from '../../engine/head-tag.ts'
import { badCursor, decodeCursor, encodeCursor } from '../../engine/paging.ts'
import type { Scope } from '../../engine/scope.ts'
import { momentVisible, versionOf, type VisibleVersion } from '../kinds/versions.ts'
import {
  type Entity,
  type EntityVersion,
  type Filter,
  type PageCursor,
  type Reader,
} from '../../ports/index.ts'
import { textQueryOf } from '../../adapters/words.ts'
import type { Look } from './ancestors.ts'
import { noSuch } from './find.ts'
import type { StructureKind, StructureName, StructureShapes } from './kind.ts'
import { storedOf, storedText, lookFor, serializeStored, sentAll, type StructureJson } from './json.ts'

/** What a list by name takes. */
export interface NameListInput {
  readonly text?: string | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly skipCount?: boolean | undefined
}

/** A list answer. */
export interface Listed<T> {
  count?: number
  items: T[]
  nextCursor?: string
}

/** What of a kind is listed. */
interface ListOptions<K extends StructureName> {
  readonly rules: StructureKind<K>
  readonly filter?: Filter
  readonly input: NameListInput
  /** Default: everything. */
  readonly reader?: Reader
}

const everyone: Reader = { types: 'all', roles: 'all' }

/** Things of a kind by name. Errors: `invalid` for a cursor of another list. */
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
    ...(input.cursor !== undefined && { after: scopeAfter(input.cursor) }),
    count: input.skipCount !== true,
  })
  const items = await sentAll(lookFor(call, branch, rules), entities.map(storedOf))
  const nextCursor = next && encodeCursor([next.values[0], next.id])
  return serializeList({ count, items, nextCursor })
}

interface StoredList {
  readonly count: number | undefined
  readonly items: readonly StructureJson[]
  readonly nextCursor: string | undefined
}

/** A list answer as text: absent members are left out. */
export function serializeList<T>(
  list: StoredList & { readonly count: number },
): Serialized<Listed<T> & { count: number }>
export function serializeList<T>(list: StoredList): Serialized<Listed<T>>
export function serializeList<T>(list: StoredList): Serialized<Listed<T>> {
  return new Serialized(JSON.stringify(list), null)
}

function scopeAfter(cursor: string): PageCursor {
  const scope = decodeCursor(cursor)
  const [name, id]: unknown[] = Array.isArray(scope) ? scope : []
  if (typeof name !== 'string' || typeof id !== 'string') throw badCursor()
  return { values: [name], id }
}

/** Something as it was at a time, where it stood then. Errors: `not_found` when it was not there. */
export async function serializeAt<K extends StructureName>(
  call: Call,
  scope: Scope,
  { rules, id, at }: { rules: StructureKind<K>; id: string; at: number },
): Promise<Serialized<StructureShapes[K]>> {
  const then = await pastHead(call, scope, { kind: rules.kind, id, at })
  if (!then) throw noSuch(rules)
  const { head, visible } = then
  const packageName = visible.packageId === null ? null : (scope.package?.name ?? null)
  const stored: StructureJson = JSON.parse(storedText(rules, head, { visible, packageName }))
  const look: Look = async (ids) => {
    const found = new Map<string, EntityVersion>()
    for (const above of ids) {
      const past = await pastHead(call, scope, { kind: rules.above?.kind ?? rules.kind, id: above, at })
      if (past) found.set(above, past.visible)
    }
    return found
  }
  return serializeStored(rules.above ? look : null, { stored, tag: `${headTag(head)}.v${visible.version}` })
}

async function pastHead(
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
