import type { Contract, OutputOf, ParsedOf } from '@quire/contract'
import type { Call } from '../call/call.ts'
import { findItem } from '../items/find.ts'
import { findPlace } from '../lines/lines.ts'
import { nodeOf } from './nodes.ts'
import { reach } from './reach.ts'

type Get = Contract['dependencies']['get']

/** What an item needs and what needs it, as the line shows them. Errors: `not_found`. */
export async function getDependencies(call: Call, input: ParsedOf<Get>): Promise<OutputOf<Get>> {
  const place = await findPlace(call, input)
  const head = await findItem(call, place, input.itemId)
  const from = { line: place.line, start: nodeOf(head, { kind: 'item', depth: 0 }), depth: input.depth }
  return {
    needs: await reach(call, { ...from, end: 'source' }),
    neededBy: await reach(call, { ...from, end: 'target' }),
  }
}
