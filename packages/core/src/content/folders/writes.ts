import type { Contract, Folder, ParsedOf } from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { contentOf } from '../structure/content.ts'
import { openHead, openStructure } from '../structure/find.ts'
import { serializeOne } from '../structure/json.ts'
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
): Promise<Serialized<Folder>> {
  return call.write(async (call) => {
    const scope = await openStructure(call, ref, [rules.keys.read, rules.keys.create])
    const content = { name, description, parentId }
    const head = await saveStructure(call, { rules, scope, previous: null, content })
    return serializeOne(call, scope.branch, { rules, head })
  })
}

/** Changes what is sent. Errors: `not_found`, `forbidden`, `precondition_failed`, `name_taken`, `invalid_state`. */
export function updateFolder(call: Call, input: ParsedOf<Group['update']>): Promise<Serialized<Folder>> {
  return changeFolder(call, input, input)
}

/** Moves a folder with all that stands in it. Errors: as an update; `invalid` when it cannot stand there. */
export function moveFolder(call: Call, input: ParsedOf<Group['move']>): Promise<Serialized<Folder>> {
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
): Promise<Serialized<Folder>> {
  return call.write(async (call) => {
    const { scope, head: previous } = await openHead(call, ref, { rules, act: 'update' })
    const before = contentOf(previous)
    const content = {
      name: name ?? before.name,
      description: description ?? before.description,
      parentId: parentId === undefined ? before.parentId : parentId,
    }
    const head = await saveStructure(call, { rules, scope, previous, content })
    return serializeOne(call, scope.branch, { rules, head })
  })
}
