import type { JournalEvent } from '@quire/contract'
import type { WriteCall } from '../../engine/call.ts'
import { entityEvent } from '../../engine/journal.ts'
import { headVersion } from '../kinds/heads.ts'
import type {
  Edge,
  Entity,
  EntityWrite,
  IndexedValue,
  JsonObject,
  Branch,
  Transaction,
} from '../../ports/index.ts'
import { contentOf, memberOf, siblingKey, type StructureContent } from './content.ts'
import type { StructureKind } from './kind.ts'
import { storedText } from './json.ts'
import { siblingPath } from './siblings.ts'

/** A head to be written. */
export interface HeadWrite {
  readonly rules: StructureKind
  readonly head: Entity
  /** The package of its branch. */
  readonly packageName: string | null
  readonly events: readonly JournalEvent[]
  /** What the journal keeps beside. */
  readonly details?: JsonObject
}

/** Writes a head with everything derived from it and a journal entry for each event. */
export async function writeHead(
  call: WriteCall,
  { rules, head, packageName, events, details = {} }: HeadWrite,
): Promise<Entity> {
  const json = storedText(rules, head, { visible: headVersion(head), packageName })
  const serialized: Entity = { ...head, json }
  await call.store.entities.put(
    { ...withDerived(rules, serialized), writtenDate: call.now },
    head.revision - 1,
  )
  await touchNames(call.store, head, rules)
  for (const event of events)
    await call.record(entityEvent(call, event, { entity: serialized, status: null, details }), serialized)
  return serialized
}

/** Ends what was kept of names that items show (see `StructureRecord`). */
export async function touchNames(
  store: Transaction,
  { repositoryId }: Branch,
  { isVisibleOnItems }: Pick<StructureKind, 'isVisibleOnItems'>,
): Promise<void> {
  if (!isVisibleOnItems) return
  const found = await store.records.get('structure', repositoryId)
  await store.records.put('structure', { id: repositoryId }, found?.revision ?? 0)
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
