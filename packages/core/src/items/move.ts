import type { Contract, Item, ParsedOf } from '@quire/contract'
import type { Presented } from '../call/answer.ts'
import type { Call } from '../call/call.ts'
import { updateItem } from './update.ts'

/** Moves an item to another folder of its repository and line: an update of where it is. Errors: as update. */
export function moveItem(call: Call, input: ParsedOf<Contract['items']['move']>): Promise<Presented<Item>> {
  return updateItem(call, input)
}
