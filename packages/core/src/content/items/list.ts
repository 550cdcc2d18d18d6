import type { Contract, OutputOf, ParsedOf } from '@quire/contract'
import { Serialized, type Answer } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { findScope, type Scope } from '../../engine/scope.ts'
import type { StoredJson } from '../../ports/index.ts'
import { pageOn } from './listing.ts'
import { isPicked, pick, type Picking } from './pick.ts'
import { sentItems, sentTexts } from './serialize.ts'

type List = Contract['items']['list']
type Input = ParsedOf<List>

/**
 * Items that match, that the caller may read, in order (DESIGN "Conventions of the API").
 * Errors: `not_found` for the repository or package; `invalid` naming unknown fields, operators, members and cursors.
 */
export async function listItems(call: Call, input: Input): Promise<Answer<OutputOf<List>>> {
  const scope = await findScope(call, input)
  const {
    page: { entities, count },
    nextCursor,
  } = await pageOn(call, { scope, input })
  const about = { ...(count !== undefined && { count }), ...(nextCursor && { nextCursor }) }
  return serializeItems(call, { scope, entities, input, about })
}

/** Items to be answered, with what a list says of them. */
export interface ItemPage {
  readonly scope: Scope
  readonly entities: readonly StoredJson[]
  /** What is asked of each. */
  readonly input: Picking
  /** The other members of the answer. */
  readonly about: Readonly<Record<string, unknown>>
}

/** A page of items: as text, what is kept of each as it is sent, unless members are picked. Errors: `invalid` naming unknown members. */
export async function serializeItems(
  call: Call,
  { scope, entities, input, about }: ItemPage,
): Promise<Answer<OutputOf<List>>> {
  if (!isPicked(input)) return serializePage(await sentTexts(call, scope.branch, entities), about)
  const items = await sentItems(call, scope.branch, entities)
  return { ...about, items: await pick(call, { scope, items, input }) }
}

function serializePage(texts: readonly string[], about: ItemPage['about']): Serialized<OutputOf<List>> {
  const members = JSON.stringify(about).slice(0, -1)
  return new Serialized(`${members}${members === '{' ? '' : ','}"items":[${texts.join(',')}]}`, null)
}
