import { limits, type Contract, type OutputOf, type PackageDifference, type ParsedOf } from '@quire/contract'
import type { Call } from '../call/call.ts'
import { badCursor, decodeCursor, encodeCursor } from '../call/paging.ts'
import { changesBetween } from '../merge/changes.ts'
import type { EntityRef, OwnHead } from '../ports/index.ts'
import { presentChange } from './change.ts'
import { ownPages } from './own-heads.ts'
import { openPackage } from './record.ts'
import { mayReadBase, mayReadHead } from './rights.ts'
import { sidesOfAll, type ChangeSides } from './sides.ts'

type Group = Contract['packages']
type Input = ParsedOf<Group['changes']>

/** What a package does, entity by entity, as far as the caller may read it. Errors: `not_found`, `forbidden`, `invalid`. */
export async function listChanges(call: Call, input: Input): Promise<OutputOf<Group['changes']>> {
  const { changes, ...page } = await changesPage(call, input)
  return { ...page, items: changes.map(presentChange) }
}

/** The same with what differs from the base, field by field. */
export async function diffPackage(call: Call, input: Input): Promise<OutputOf<Group['diff']>> {
  const { changes, ...page } = await changesPage(call, input)
  return { ...page, items: changes.map((sides) => presentDifference(call, sides)) }
}

/** What the caller may not read of the base is as if it had said nothing. */
function presentDifference(call: Call, sides: ChangeSides): PackageDifference {
  const { ours } = sides
  const base = mayReadBase(call, sides) ? sides.base : null
  return { ...presentChange(sides), changes: changesBetween(base?.content ?? {}, ours.content) }
}

interface ChangesPage {
  readonly count?: number
  readonly changes: readonly ChangeSides[]
  readonly nextCursor?: string
}

async function changesPage(
  call: Call,
  { limit = limits.pageDefault, cursor, skipCount, ...ref }: Input,
): Promise<ChangesPage> {
  const place = await openPackage(call, ref, 'packages.diff.view')
  const after = cursor === undefined ? null : placeAfter(cursor)
  const readable: OwnHead[] = []
  let count = 0
  for await (const page of ownPages(call.store.entities, place.line)) {
    for (const head of page.filter((found) => mayReadHead(call, found))) {
      count += 1
      if (readable.length <= limit && isAfter(head, after)) readable.push(head)
    }
    if (skipCount === true && readable.length > limit) break
  }
  const shown = readable.slice(0, limit)
  const last = readable.length > limit ? shown.at(-1) : undefined
  return {
    ...(skipCount !== true && { count }),
    changes: await sidesOfAll(call.store.entities, place, shown),
    ...(last && { nextCursor: encodeCursor([last.kind, last.id]) }),
  }
}

function placeAfter(cursor: string): Pick<EntityRef, 'id'> & { kind: string } {
  const value = decodeCursor(cursor)
  const [kind, id]: unknown[] = Array.isArray(value) ? value : []
  if (typeof kind !== 'string' || typeof id !== 'string') throw badCursor()
  return { kind, id }
}

function isAfter({ kind, id }: OwnHead, after: { kind: string; id: string } | null): boolean {
  if (!after) return true
  return kind === after.kind ? id > after.id : kind > after.kind
}
