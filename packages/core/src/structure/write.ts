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
import { contentOf, memberOf, siblingKey, type StructureContent } from './content.ts'
import type { StructureKind } from './kind.ts'
import { keptText } from './present.ts'
import { siblingPath } from './siblings.ts'

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
  await tx.entities.put({ ...withDerived(rules, presented), writtenDate: call.now }, head.revision - 1)
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

function withDerived(rules: StructureKind, head: Entity): EntityWrite {
  const content = contentOf(head)
  const { name, description } = content
  const passages = description === '' ? [] : [{ path: 'description', text: description }]
  return {
    ...head,
    values: valuesOf(rules, content),
    edges: edgesOf(rules, content),
    search: { name, passages, categories: [], file: null },
  }
}

/** What lists are narrowed to: what it is called beside others, and what it belongs to and stands in. */
function valuesOf(rules: StructureKind, content: StructureContent): IndexedValue[] {
  const members = [rules.owner, rules.above].flatMap((naming) => naming?.member ?? [])
  const named = members.filter((member) => member !== 'parentId')
  return [
    { path: siblingPath, value: siblingKey(rules, content) },
    ...named.map((path) => ({ path, value: memberOf(content, path) })),
  ]
}

/** What it stands in and belongs to cannot go without it. */
function edgesOf({ above, owner, references }: StructureKind, content: StructureContent): Edge[] {
  const named = [
    ...(above ? [{ ...above, path: 'parent', onDelete: 'restrict' } as const] : []),
    ...(owner ? [{ ...owner, path: owner.kind, onDelete: 'restrict' } as const] : []),
    ...references.map((one) => ({ ...one, path: one.member, onDelete: 'ignore' }) as const),
  ]
  return named.flatMap(({ member, path, onDelete }) => {
    const targetId = memberOf(content, member)
    return targetId === null ? [] : [{ path, targetId, onDelete }]
  })
}
