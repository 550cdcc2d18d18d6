import type { JournalEvent } from '@quire/contract'
import type { Call } from '../call/call.ts'
import { entityEvent } from '../call/journal.ts'
import { headVersion } from '../lines/heads.ts'
import type {
  Edge,
  Entity,
  EntityWrite,
  IndexedValue,
  JsonObject,
  Line,
  Transaction,
} from '../ports/index.ts'
import { contentOf, siblingKey, type StructureContent } from './content.ts'
import type { StructureKind } from './kind.ts'
import { keptText } from './present.ts'
import { siblingPath } from './siblings.ts'

/** Where the taxonomy of a category is kept among the values of its head. */
export const taxonomyPath = 'taxonomyId'

/** A head to be written. */
export interface HeadWrite {
  readonly rules: StructureKind
  readonly head: Entity
  /** The package of its line. */
  readonly packageName: string | null
  readonly events: readonly JournalEvent[]
  /** What the journal keeps beside. */
  readonly details?: JsonObject
}

/** Writes a head with everything derived from it and a journal entry for each event. */
export async function writeHead(
  call: Call,
  tx: Transaction,
  { rules, head, packageName, events, details = {} }: HeadWrite,
): Promise<Entity> {
  const presentation = keptText(rules, head, { shown: headVersion(head), packageName })
  const presented: Entity = { ...head, presentation }
  await tx.entities.put({ ...withDerived(presented), writtenDate: call.now }, head.revision - 1)
  await touchNames(tx, head, rules)
  for (const event of events)
    await tx.journal.record(entityEvent(call, event, { entity: presented, status: null, details }))
  return presented
}

/** Ends what was kept of names that items show (see `StructureRecord`). */
export async function touchNames(
  tx: Transaction,
  { repositoryId }: Line,
  { isShownOnItems }: Pick<StructureKind, 'isShownOnItems'>,
): Promise<void> {
  if (!isShownOnItems) return
  const found = await tx.records.get('structure', repositoryId)
  await tx.records.put('structure', { id: repositoryId }, found?.revision ?? 0)
}

function withDerived(head: Entity): EntityWrite {
  const content = contentOf(head)
  const { name, description } = content
  const passages = description === '' ? [] : [{ path: 'description', text: description }]
  return {
    ...head,
    values: valuesOf(content),
    edges: edgesOf(content),
    search: { name, passages, categories: [], file: null },
  }
}

function valuesOf(content: StructureContent): IndexedValue[] {
  const { taxonomyId } = content
  return [
    { path: siblingPath, value: siblingKey(content) },
    ...(taxonomyId === undefined ? [] : [{ path: taxonomyPath, value: taxonomyId }]),
  ]
}

/** What it stands in cannot go without it. */
function edgesOf({ parentId, taxonomyId }: StructureContent): Edge[] {
  const onDelete = 'restrict'
  return [
    ...(parentId === null ? [] : [{ path: 'parent', targetId: parentId, onDelete } as const]),
    ...(taxonomyId === undefined ? [] : [{ path: 'taxonomy', targetId: taxonomyId, onDelete } as const]),
  ]
}
