import type { JournalEvent } from '@quire/contract'
import type { Call } from '../call/call.ts'
import { headOnLine, newHead } from '../lines/heads.ts'
import { requireOpen, type Place } from '../lines/lines.ts'
import { isSame } from '../merge/same.ts'
import type { Entity, Transaction } from '../ports/index.ts'
import { contentOf, siblingKey, snapshotOf, typeOf, type StructureContent } from './content.ts'
import type { StructureKind } from './kind.ts'
import { requireStand } from './stand.ts'
import { requireFreeName } from './siblings.ts'
import { writeHead } from './write.ts'

/** A save to be made. */
export interface StructureSave {
  readonly rules: StructureKind
  readonly place: Place
  /** The head that the content follows; null for something new. */
  readonly previous: Entity | null
  readonly content: StructureContent
}

/**
 * Writes the next version of a folder, taxonomy or category, or its first; one that says the same changes nothing.
 * Errors: `invalid` at `parentId` when it cannot stand there, `name_taken`, `invalid_state` on the line of a package that takes no changes.
 */
export async function saveStructure(
  call: Call,
  tx: Transaction,
  { rules, place, previous, content }: StructureSave,
): Promise<Entity> {
  requireOpen(place.package)
  if (previous && isSame(contentOf(previous), content)) return previous
  await requireSound(tx, { rules, place, previous, content })
  const { prefix, kind, events } = rules
  const start = previous
    ? headOnLine(previous, place)
    : newHead(call, place, { kind, id: call.environment.ids.next(prefix) })
  const head: Entity = {
    ...start,
    ...snapshotOf(typeOf(rules, start.id, content), content),
    version: start.version + 1,
    revision: start.revision + 1,
    updatedDate: call.now,
    updatedBy: call.identity.ref,
  }
  return writeIn(call, tx, { rules, place, head, event: previous ? events.updated : events.created })
}

async function requireSound(
  { entities }: Transaction,
  { rules, place: { line }, previous, content }: StructureSave,
): Promise<void> {
  const before = previous && contentOf(previous)
  const standing = { rules, id: previous?.id ?? null, content }
  const { above } = rules
  if (above && before?.[above.member] !== content[above.member]) await requireStand(entities, line, standing)
  if (!before || siblingKey(rules, before) !== siblingKey(rules, content))
    await requireFreeName(entities, line, standing)
}

/** Deletes one softly. In a package that had left it alone, that is the package's first version of it. */
export function deleteStructure(
  call: Call,
  tx: Transaction,
  { rules, place, previous }: { rules: StructureKind; place: Place; previous: Entity },
): Promise<Entity> {
  const start = headOnLine(previous, place)
  const version = Math.max(1, start.version)
  const head: Entity = { ...start, version, revision: start.revision + 1, deletedDate: call.now }
  return writeIn(call, tx, { rules, place, head, event: rules.events.deleted })
}

interface WriteIn {
  readonly rules: StructureKind
  readonly place: Place
  readonly head: Entity
  readonly event: JournalEvent
}

function writeIn(call: Call, tx: Transaction, { rules, place, head, event }: WriteIn): Promise<Entity> {
  const packageName = place.package?.name ?? null
  return writeHead(call, tx, { rules, head, packageName, events: [event], details: { name: head.name } })
}
