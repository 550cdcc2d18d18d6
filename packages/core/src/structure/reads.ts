import { limits } from '@quire/contract'
import { Presented } from '../call/answer.ts'
import type { Call } from '../call/call.ts'
import { headTag } from '../call/head-tag.ts'
import { badCursor, decodeCursor, encodeCursor } from '../call/paging.ts'
import type { Place } from '../lines/lines.ts'
import {
  textQueryOf,
  type Entity,
  type EntityVersion,
  type Filter,
  type PageCursor,
  type Reader,
} from '../ports/index.ts'
import type { Look } from './ancestors.ts'
import { noSuch } from './find.ts'
import type { StructureKind, StructureName, StructureShapes } from './kind.ts'
import { keptOf, keptText, lookFor, presentKept, sentAll, type Kept } from './present.ts'

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
  { line }: Place,
  { rules, filter, input, reader = everyone }: ListOptions<K>,
): Promise<Presented<Listed<StructureShapes[K]>>> {
  const { entities, count, next } = await call.store.entities.list(line, {
    kind: rules.kind,
    reader,
    ...(filter && { filter }),
    ...(input.text !== undefined && { text: textQueryOf(input.text) }),
    archived: true,
    sort: [{ field: { member: 'name' }, descending: false }],
    limit: input.limit ?? limits.pageDefault,
    ...(input.cursor !== undefined && { after: placeAfter(input.cursor) }),
    count: input.skipCount !== true,
  })
  const items = await sentAll(lookFor(call, line, rules), entities.map(keptOf))
  const nextCursor = next && encodeCursor([next.values[0], next.id])
  return presentList({ count, items, nextCursor })
}

/** A list answer as text: absent members are left out. */
export function presentList<T>(list: {
  count: number | undefined
  items: readonly Kept[]
  nextCursor: string | undefined
}): Presented<Listed<T>> {
  return new Presented(JSON.stringify(list), null)
}

function placeAfter(cursor: string): PageCursor {
  const place = decodeCursor(cursor)
  const [name, id]: unknown[] = Array.isArray(place) ? place : []
  if (typeof name !== 'string' || typeof id !== 'string') throw badCursor()
  return { values: [name], id }
}

/** Something as it was at a time, where it stood then. Errors: `not_found` when it was not there. */
export async function presentAt<K extends StructureName>(
  call: Call,
  place: Place,
  { rules, id, at }: { rules: StructureKind<K>; id: string; at: number },
): Promise<Presented<StructureShapes[K]>> {
  const then = await pastHead(call, place, { kind: rules.kind, id, at })
  if (!then) throw noSuch(rules)
  const { head, shown } = then
  const packageName = head.packageId === null ? null : (place.package?.name ?? null)
  const kept: Kept = JSON.parse(keptText(rules, head, { shown, packageName }))
  const look: Look = async (ids) => {
    const found = new Map<string, EntityVersion>()
    for (const above of ids) {
      const past = await pastHead(call, place, { kind: rules.above?.kind ?? rules.kind, id: above, at })
      if (past) found.set(above, past.shown)
    }
    return found
  }
  return presentKept(rules.above ? look : null, { kept, tag: `${headTag(head)}.v${shown.version}` })
}

async function pastHead(
  call: Call,
  { line }: Place,
  { kind, id, at }: { kind: StructureName; id: string; at: number },
): Promise<{ head: Entity; shown: EntityVersion } | null> {
  const { entities } = call.store
  const head = await entities.get(line, kind, id)
  const moment = head && (await entities.moment(line, { kind, id }, at))
  if (!moment || moment.deleted) return null
  const shown = await entities.version(line, { kind, id }, moment.version)
  return shown && { head, shown }
}
