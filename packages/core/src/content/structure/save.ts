import type { JournalEvent } from '@quire/contract'
import type { WriteCall } from '../../engine/call.ts'
import { dateAfter, headOnBranch, newHead } from '../kinds/heads.ts'
import { requireOpen, type Scope } from '../../engine/scope.ts'
import { isSame } from '../../engine/same.ts'
import type { Entity, Transaction } from '../../ports/index.ts'
import { contentOf, siblingKey, snapshotOf, typeOf, type StructureContent } from './content.ts'
import type { StructureKind } from './kind.ts'
import { requireStand } from './stand.ts'
import { requireFreeName } from './siblings.ts'
import { writeHead } from './write.ts'

/** A save to be made. */
export interface StructureSave {
  readonly rules: StructureKind
  readonly scope: Scope
  /** The head that the content follows; null for something new. */
  readonly previous: Entity | null
  readonly content: StructureContent
}

/**
 * Writes the next version of a folder, taxonomy or category, or its first; one that says the same changes nothing.
 * Errors: `invalid` at `parentId` when it cannot stand there, `name_taken`, `invalid_state` on the branch of a package that takes no changes.
 */
export async function saveStructure(
  call: WriteCall,
  { rules, scope, previous, content }: StructureSave,
): Promise<Entity> {
  requireOpen(scope.package)
  if (previous && isSame(contentOf(previous), content)) return previous
  await requireSound(call.store, { rules, scope, previous, content })
  const { prefix, kind, events } = rules
  const start = previous
    ? headOnBranch(previous, scope)
    : newHead(call, scope, { kind, id: call.environment.ids.next(prefix) })
  const head: Entity = {
    ...start,
    ...snapshotOf(typeOf(rules, start.id, content), content),
    version: start.version + 1,
    revision: start.revision + 1,
    updatedDate: dateAfter(call, start),
    updatedBy: call.identity.ref,
  }
  return writeIn(call, { rules, scope, head, event: previous ? events.updated : events.created })
}

async function requireSound(
  { entities }: Transaction,
  { rules, scope: { branch }, previous, content }: StructureSave,
): Promise<void> {
  const before = previous && contentOf(previous)
  const standing = { rules, id: previous?.id ?? null, content }
  const { above } = rules
  if (above && before?.[above.member] !== content[above.member])
    await requireStand(entities, branch, standing)
  if (!before || siblingKey(rules, before) !== siblingKey(rules, content))
    await requireFreeName(entities, branch, standing)
}

/** Deletes one softly. */
export function deleteStructure(
  call: WriteCall,
  { rules, scope, previous }: { rules: StructureKind; scope: Scope; previous: Entity },
): Promise<Entity> {
  const start = headOnBranch(previous, scope)
  const head: Entity = { ...start, revision: start.revision + 1, deletedDate: call.now }
  return writeIn(call, { rules, scope, head, event: rules.events.deleted })
}

interface WriteIn {
  readonly rules: StructureKind
  readonly scope: Scope
  readonly head: Entity
  readonly event: JournalEvent
}

function writeIn(call: WriteCall, { rules, scope, head, event }: WriteIn): Promise<Entity> {
  const packageName = scope.package?.name ?? null
  return writeHead(call, { rules, head, packageName, events: [event], details: { name: head.name } })
}
