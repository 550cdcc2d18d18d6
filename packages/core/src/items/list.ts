import type { Contract, OutputOf, ParsedOf } from '@quire/contract'
import { Presented, type Answer } from '../call/answer.ts'
import type { Call } from '../call/call.ts'
import { findPlace, type Place } from '../lines/lines.ts'
import type { PresentedEntity } from '../ports/index.ts'
import { pageOn } from './listing.ts'
import { isPicked, pick, type Picking } from './pick.ts'
import { sentItems, sentTexts } from './show.ts'

type List = Contract['items']['list']
type Input = ParsedOf<List>

/**
 * Items that match, that the caller may read, in order (DESIGN "Conventions of the API").
 * Errors: `not_found` for the repository or package; `invalid` naming unknown fields, operators, members and cursors.
 */
export async function listItems(call: Call, input: Input): Promise<Answer<OutputOf<List>>> {
  const place = await findPlace(call, input)
  const {
    page: { entities, count },
    nextCursor,
  } = await pageOn(call, { place, input })
  const about = { ...(count !== undefined && { count }), ...(nextCursor && { nextCursor }) }
  return presentItems(call, { place, entities, input, about })
}

/** Items to be answered, with what a list says of them. */
export interface ItemPage {
  readonly place: Place
  readonly entities: readonly PresentedEntity[]
  /** What is asked of each. */
  readonly input: Picking
  /** The other members of the answer. */
  readonly about: Readonly<Record<string, unknown>>
}

/** A page of items: as text, what is kept of each as it is sent, unless members are picked. Errors: `invalid` naming unknown members. */
export async function presentItems(
  call: Call,
  { place, entities, input, about }: ItemPage,
): Promise<Answer<OutputOf<List>>> {
  if (!isPicked(input)) return presentPage(await sentTexts(call, place.line, entities), about)
  const items = await sentItems(call, place.line, entities)
  return { ...about, items: await pick(call, { place, items, input }) }
}

function presentPage(texts: readonly string[], about: ItemPage['about']): Presented<OutputOf<List>> {
  const members = JSON.stringify(about).slice(0, -1)
  return new Presented(`${members}${members === '{' ? '' : ','}"items":[${texts.join(',')}]}`, null)
}
