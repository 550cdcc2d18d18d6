import { itemActions, limits, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import type { Call } from '../call/call.ts'
import { badCursor } from '../call/paging.ts'
import { openCursor, sealCursor } from '../call/sealed-cursor.ts'
import { findItem } from '../items/find.ts'
import { findPlace, type Place } from '../lines/lines.ts'
import type { Entity, JournalRow } from '../ports/index.ts'
import { commentOf } from './comment.ts'
import { readBack } from './read-back.ts'

type Get = Contract['activity']['get']
type Entry = OutputOf<Get>['activity'][number]

/**
 * What was done to an item on the line that holds it, newest first (specification 2.11): in a package that left it alone what main did.
 * Errors: `not_found`, for a deleted item too; `invalid` for a cursor that is none.
 */
export async function getActivity(call: Call, input: ParsedOf<Get>): Promise<OutputOf<Get>> {
  const place = await findPlace(call, input)
  const head = await findItem(call, place, input.assetId)
  const list = `activity:${head.id}:${head.packageId ?? ''}`
  const before = input.cursor === undefined ? undefined : await openCursor(call, list, input.cursor)
  if (before !== undefined && typeof before !== 'number') throw badCursor()
  const wanted = { repositoryId: head.repositoryId, entityId: head.id, before }
  const { shown, next } = await readBack(
    call,
    { ...wanted, limit: input.limit ?? limits.pageMost },
    async (rows) => rows.map((row) => (row.packageId === head.packageId ? entryOf(call, row) : null)),
  )
  return {
    versionHistory: await versionNumbers(call, place, head),
    activity: [...shown],
    ...(next !== null && { nextCursor: await sealCursor(call, list, next) }),
  }
}

const actions: ReadonlyMap<string, Entry['action']> = new Map(Object.entries(itemActions))

function entryOf(call: Call, row: JournalRow): Entry | null {
  const action = actions.get(row.event)
  if (!action) return null
  return {
    version: String(row.version),
    action,
    timestamp: new Date(row.date).toISOString(),
    user: row.user,
    status: row.status ?? '',
    ...commentOf(call, row),
  }
}

/** The newest first. Looked for, not counted: a type may have forgotten old ones in the past. */
async function versionNumbers(call: Call, { line }: Place, head: Entity): Promise<string[]> {
  const kept = await call.store.entities.versions(line, head, { limit: limits.pageMost })
  return kept.map(({ version }) => String(version))
}
