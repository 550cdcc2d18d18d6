import { type JournalEvent, limits, QuireError } from '@quire/contract'
import type { WriteCall } from '../../engine/call.ts'
import { dateAfter, headOnBranch, newHead, headVersion } from '../kinds/heads.ts'
import { requireOpen, type Scope } from '../../engine/scope.ts'
import { isSame } from '../../engine/same.ts'
import { contentOf, siblingKey, snapshotOf, typeOf, type StructureContent, memberOf } from './content.ts'
import { type StructureKind, isTree, type Naming, type StructureName } from './kind.ts'
import { invalid } from '../../engine/check-input.ts'
import { levelsOf, standingIn } from './tree.ts'
import { ancestorsOf, lookingAt } from './ancestors.ts'
import { entityEvent } from '../../engine/journal.ts'
import { storedText } from './json.ts'
import type {
  Entity,
  Transaction,
  EntityReader,
  Branch,
  Edge,
  EntityWrite,
  IndexedValue,
  JsonObject,
} from '../../ports/index.ts'

/** A save to be made. */
interface StructureSave {
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

/**
 * Errors: `invalid` at the member that names it when what it is to stand in is not there, or belongs to something else, or stands in it
 * itself, or so deep that the tree had more than 50 levels. In the transaction of the write: two moves never close a circle.
 */
async function requireStand(entities: EntityReader, branch: Branch, standing: Standing): Promise<void> {
  const { rules, id, content } = standing
  const { above, owner } = rules
  const parentId = above && memberOf(content, above.member)
  if (!above || parentId === null) return
  const path = (await ancestorsOf(lookingAt(entities, branch, above.kind), [parentId]))(parentId)
  const parent = path.at(-1)
  if (!parent || (owner && contentOf(parent)[owner.member] !== content[owner.member]))
    throw wrong(above, `there is no ${above.kind} "${parentId}"`)
  if (path.some((ancestor) => ancestor.id === id))
    throw wrong(above, `a ${rules.kind} cannot stand in itself`)
  const height = await heightOf(entities, branch, standing)
  if (path.length + height <= limits.treeDepth) return
  throw wrong(above, `a tree of ${rules.kind}s has at most ${limits.treeDepth} levels`)
}

/** Levels of the tree that something brings along, its own among them; none for what only stands in it. Errors: `invalid` when so much stands in it that they are not counted. */
async function heightOf(entities: EntityReader, branch: Branch, { rules, id }: Standing): Promise<number> {
  if (!rules.above || !isTree(rules)) return 0
  if (id === null) return 1
  const most = limits.treeNodes
  const nodes = await levelsOf(entities, branch, { kind: rules.kind, first: standingIn([id]), most })
  if (nodes.length > most) throw wrong(rules.above, `more than ${most} stand in it: move them in parts`)
  return nodes.reduce((height, { depth }) => Math.max(height, depth + 1), 1)
}

function wrong({ member }: Naming<StructureName>, message: string): QuireError {
  return invalid([{ path: member, message }])
}

/** Where `siblingKey` is kept among the values of a head. */
const siblingPath = 'sibling'

/** Something that stands somewhere, or is to. */
interface Standing {
  readonly rules: StructureKind
  /** Null for what does not exist yet. */
  readonly id: string | null
  readonly content: StructureContent
}

/** The other of its kind that has its name where it stands, by id; null when there is none. */
export async function namesakeOf(
  entities: EntityReader,
  branch: Branch,
  { rules, id, content }: Standing,
): Promise<string | null> {
  const { entities: found } = await entities.list(branch, {
    kind: rules.kind,
    reader: { types: 'all', roles: 'all' },
    filter: { field: { path: siblingPath, list: false }, op: 'eq', value: siblingKey(rules, content) },
    archived: true,
    sort: [],
    limit: 2,
    count: false,
  })
  return found.find((other) => other.id !== id)?.id ?? null
}

/** Errors: `name_taken`, or `slug_taken` of what is called by its slug. */
export async function requireFreeName(entities: EntityReader, branch: Branch, at: Standing): Promise<void> {
  if ((await namesakeOf(entities, branch, at)) === null) return
  const { kind, calledBy } = at.rules
  const called = memberOf(at.content, calledBy)
  throw new QuireError(`${calledBy}_taken`, `There is a ${kind} "${called}" here already.`, {
    details: { [calledBy]: called },
  })
}

/** A head to be written. */
interface HeadWrite {
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
