import { type Contract, type ParsedOf, type OutputOf } from '@quire/contract'
import { type Call } from '../../engine/call.ts'
import { type Scope, findScope } from '../../engine/scope.ts'
import type { Answer } from '../../engine/answer.ts'
import { isPicked, pick, type PickOptions } from './pick.ts'
import { sentItems, sentTexts, serializePage } from './serialize.ts'
import { type StoredJson } from '../../ports/index.ts'
import { pageOn } from './listing.ts'
import { listItemsAt } from './past-list.ts'

type List = Contract['items']['list']

type ListItemsInput = ParsedOf<List>

/**
 * Lists the matching items that the caller may read, in order (DESIGN "Conventions of the API").
 * Errors: `not_found` for the repository or package; `invalid` for unknown fields, operators and
 * members, and for invalid cursors.
 */
export async function listItems(call: Call, input: ListItemsInput): Promise<Answer<OutputOf<List>>> {
  const scope = await findScope(call, input)
  if (input.at !== undefined && input.at !== call.now)
    return listItemsAt(call, scope, { input, at: input.at })
  const {
    page: { entities, count },
    nextCursor,
  } = await pageOn(call, { scope, input })
  const about = { ...(count !== undefined && { count }), ...(nextCursor && { nextCursor }) }
  return serializeItems(call, { scope, entities, input, about })
}

/** A page of items to serialize. */
interface ItemPage {
  readonly scope: Scope
  readonly entities: readonly StoredJson[]
  /** The members of each item that the answer contains. */
  readonly input: PickOptions
  /** The other members of the answer. */
  readonly about: Readonly<Record<string, unknown>>
}

/**
 * Serializes a page of items. Joins the stored texts without parsing them, unless the input selects
 * members. Errors: `invalid` naming unknown members.
 */
export async function serializeItems(
  call: Call,
  { scope, entities, input, about }: ItemPage,
): Promise<Answer<OutputOf<List>>> {
  if (!isPicked(input)) return serializePage(await sentTexts(call, scope.branch, entities), about)
  const items = await sentItems(call, scope.branch, entities)
  return { ...about, items: await pick(call, { scope, items, input }) }
}
