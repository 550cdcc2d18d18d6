import type { Serialized } from '../../engine/answer.ts'
import type { WriteCall } from '../../engine/call.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { requireOpen, type Scope } from '../../engine/scope.ts'
import type { Entity } from '../../ports/index.ts'
import { serializeOne } from './json.ts'
import type { StructureKind, StructureName, StructureShapes } from './kind.ts'
import { deleteStructure, saveStructure, type StructureSave } from './save.ts'

/** Saves an entity and returns its JSON. Errors: as for `saveStructure`. */
export async function saveAndSerialize<K extends StructureName>(
  call: WriteCall,
  save: StructureSave<K>,
): Promise<Serialized<StructureShapes[K]>> {
  const head = await saveStructure(call, save)
  return serializeOne(call, save.scope.branch, { rules: save.rules, head })
}

/** A live head to delete. */
interface Deletion<K extends StructureName> {
  readonly rules: StructureKind<K>
  readonly scope: Scope
  readonly head: Entity
  readonly dryRun: boolean | undefined
}

/**
 * Runs `remove`, which deletes a head with its contents. Returns what it reports and the JSON of
 * the head if it is a dry run, otherwise undefined. Errors: `invalid_state` on the branch of a
 * package that is closed to changes.
 */
export async function reportDeletion<K extends StructureName, R extends object>(
  call: WriteCall,
  { rules, scope, head, dryRun }: Deletion<K>,
  remove: () => Promise<R>,
): Promise<(R & { deleted: StructureShapes[K] }) | undefined> {
  requireOpen(scope.package)
  const deleted = await serializeOne(call, scope.branch, { rules, head })
  const report = await remove()
  return dryRun === true ? { deleted: deleted.value(), ...report } : undefined
}

/** Soft-deletes entities of a kind, given parents first. */
export async function deleteAll(
  call: WriteCall,
  { rules, scope, heads }: { rules: StructureKind; scope: Scope; heads: readonly Entity[] },
): Promise<void> {
  const yieldToLoop = yieldingToLoop()
  for (const previous of heads.toReversed()) {
    await deleteStructure(call, { rules, scope, previous })
    await yieldToLoop()
  }
}

/** The ids and names of heads, as reports of deletions list them. */
export function namesOf(heads: readonly Entity[]): { id: string; name: string }[] {
  return heads.map(({ id, name }) => ({ id, name }))
}
