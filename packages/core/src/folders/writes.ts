import type { Contract, Folder, ParsedOf } from '@quire/contract'
import type { Presented } from '../call/answer.ts'
import { within, type Call } from '../call/call.ts'
import { contentOf } from '../structure/content.ts'
import { openHead, openStructure } from '../structure/find.ts'
import { presentOne } from '../structure/present.ts'
import { saveStructure } from '../structure/save.ts'
import { folderRules as rules } from './kind.ts'

type Group = Contract['folders']

/**
 * Creates a folder. Errors: `not_found` for the repository or package, `forbidden`, `name_taken`, `invalid` when it cannot stand there,
 * `invalid_state`.
 */
export function createFolder(
  call: Call,
  { name, description, parentId, ...ref }: ParsedOf<Group['create']>,
): Promise<Presented<Folder>> {
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    const place = await openStructure(inside, ref, [rules.keys.read, rules.keys.create])
    const content = { name, description, parentId }
    const head = await saveStructure(inside, tx, { rules, place, previous: null, content })
    return presentOne(inside, place.line, { rules, head })
  })
}

/** Changes what is sent. Errors: `not_found`, `forbidden`, `precondition_failed`, `name_taken`, `invalid_state`. */
export function updateFolder(call: Call, input: ParsedOf<Group['update']>): Promise<Presented<Folder>> {
  return changeFolder(call, input, input)
}

/** Moves a folder with all that stands in it. Errors: as an update; `invalid` when it cannot stand there. */
export function moveFolder(call: Call, input: ParsedOf<Group['move']>): Promise<Presented<Folder>> {
  return changeFolder(call, input, input)
}

interface Change {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly parentId?: string | null | undefined
}

function changeFolder(
  call: Call,
  ref: ParsedOf<Group['update']>,
  { name, description, parentId }: Change,
): Promise<Presented<Folder>> {
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    const { place, head: previous } = await openHead(inside, ref, { rules, act: 'update' })
    const before = contentOf(previous)
    const content = {
      name: name ?? before.name,
      description: description ?? before.description,
      parentId: parentId === undefined ? before.parentId : parentId,
    }
    const head = await saveStructure(inside, tx, { rules, place, previous, content })
    return presentOne(inside, place.line, { rules, head })
  })
}
