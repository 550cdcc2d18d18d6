import { limits, QuireError } from '@quire/contract'
import type { WriteCall } from '../../engine/call.ts'
import { headVersion } from '../kinds/heads.ts'
import { headWithState, nextHead, writeHead, type DerivedRows, type HeadWrite } from '../kinds/write.ts'
import { requireOpen, type Scope } from '../../engine/scope.ts'
import { isSame } from '../../engine/same.ts'
import { contentOf, siblingKey, snapshotOf, typeOf, type StructureContent, memberOf } from './content.ts'
import { type StructureKind, isTree, type MemberRef, type StructureName } from './kind.ts'
import { invalid } from '../../engine/check-input.ts'
import { levelsOf, childrenOf } from './tree.ts'
import { ancestorsOf, lookupOn } from './ancestors.ts'
import { storedText } from './json.ts'
import type {
  Entity,
  Transaction,
  EntityReader,
  Branch,
  Edge,
  IndexedValue,
  JsonObject,
} from '../../ports/index.ts'

/** A save to make. */
export interface StructureSave<K extends StructureName = StructureName> {
  readonly rules: StructureKind<K>
  readonly scope: Scope
  /** The head before the save; null for a new entity. */
  readonly previous: Entity | null
  readonly content: StructureContent
}

/**
 * Writes the next or the first version of an entity. Does nothing if the content is unchanged.
 * Errors: `invalid` at the parent's member if the parent is not valid; `name_taken` or
 * `slug_taken`; `invalid_state` on the branch of a package that is closed to changes.
 */
export async function saveStructure(
  call: WriteCall,
  { rules, scope, previous, content }: StructureSave,
): Promise<Entity> {
  requireOpen(scope.package)
  if (previous && isSame(contentOf(previous), content)) return previous
  await requireValid(call.store, { rules, scope, previous, content })
  const { prefix, kind, events } = rules
  const id = previous?.id ?? call.environment.ids.next(prefix)
  const snapshot = snapshotOf(typeOf(rules, id, content), content)
  const head = nextHead(call, scope, { kind, id, previous, snapshot })
  return writeStructure(call, { rules, scope, head, events: [previous ? events.updated : events.created] })
}

async function requireValid(
  { entities }: Transaction,
  { rules, scope: { branch }, previous, content }: StructureSave,
): Promise<void> {
  const before = previous && contentOf(previous)
  const candidate = { rules, id: previous?.id ?? null, content }
  const { parent } = rules
  if (parent && before?.[parent.member] !== content[parent.member])
    await requireValidParent(entities, branch, candidate)
  if (!before || siblingKey(rules, before) !== siblingKey(rules, content))
    await requireFreeName(entities, branch, candidate)
}

/** Soft-deletes an entity. Does not check what refers to it. */
export function deleteStructure(
  call: WriteCall,
  { rules, scope, previous }: { rules: StructureKind; scope: Scope; previous: Entity },
): Promise<Entity> {
  const head = headWithState(previous, scope, { deletedDate: call.now })
  return writeStructure(call, { rules, scope, head, events: [rules.events.deleted] })
}

/**
 * Checks the parent of an entity, in the transaction of the write, so that two concurrent moves
 * cannot create a cycle.
 * Errors: `invalid` at the parent's member if the parent does not exist, has another owner, is
 * inside the entity itself, or if the tree would have more than 50 levels.
 */
async function requireValidParent(
  entities: EntityReader,
  branch: Branch,
  candidate: SiblingCandidate,
): Promise<void> {
  const { rules, id, content } = candidate
  const { parent, owner } = rules
  const parentId = parent && memberOf(content, parent.member)
  if (!parent || parentId === null) return
  const path = (await ancestorsOf(lookupOn(entities, branch, parent.kind), [parentId]))(parentId)
  const found = path.at(-1)
  if (!found || (owner && contentOf(found)[owner.member] !== content[owner.member]))
    throw invalidParent(parent, `there is no ${parent.kind} "${parentId}"`)
  if (path.some((ancestor) => ancestor.id === id))
    throw invalidParent(parent, `a ${rules.kind} cannot be moved into itself`)
  const height = await heightOf(entities, branch, candidate)
  if (path.length + height <= limits.treeDepth) return
  throw invalidParent(parent, `the tree may have at most ${limits.treeDepth} levels`)
}

/**
 * The number of levels that an entity adds to a tree, including its own; 0 for an entity whose
 * parent is of another kind. Errors: `invalid` if there are too many descendants to count.
 */
async function heightOf(
  entities: EntityReader,
  branch: Branch,
  { rules, id }: SiblingCandidate,
): Promise<number> {
  if (!rules.parent || !isTree(rules)) return 0
  if (id === null) return 1
  const max = limits.treeNodes
  const nodes = await levelsOf(entities, branch, { kind: rules.kind, first: childrenOf([id]), max })
  if (nodes.length > max)
    throw invalidParent(rules.parent, `more than ${max} entries are inside it: move them in parts`)
  return nodes.reduce((height, { depth }) => Math.max(height, depth + 1), 1)
}

function invalidParent({ member }: MemberRef<StructureName>, message: string): QuireError {
  return invalid([{ path: member, message }])
}

/** The path of `siblingKey` among the indexed values of a head. */
const siblingPath = 'sibling'

/** An entity, or an entity to create, with the content that it is to have. */
interface SiblingCandidate {
  readonly rules: StructureKind
  /** Null for a new entity. */
  readonly id: string | null
  readonly content: StructureContent
}

/** Finds the id of another sibling with the same name; null if there is none. */
export async function namesakeOf(
  entities: EntityReader,
  branch: Branch,
  { rules, id, content }: SiblingCandidate,
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

/** Errors: `name_taken`, or `slug_taken` for kinds whose slug must be unique. */
export async function requireFreeName(
  entities: EntityReader,
  branch: Branch,
  candidate: SiblingCandidate,
): Promise<void> {
  if ((await namesakeOf(entities, branch, candidate)) === null) return
  const { kind, namedBy } = candidate.rules
  const name = memberOf(candidate.content, namedBy)
  throw new QuireError(`${namedBy}_taken`, `There is already a ${kind} "${name}" here.`, {
    details: { [namedBy]: name },
  })
}

/** A head to write. */
interface StructureWrite extends Pick<HeadWrite, 'head' | 'events'> {
  readonly rules: StructureKind
  readonly scope: Scope
  /** Further details for the journal. */
  readonly details?: JsonObject
  /** See `EntityWrite`. */
  readonly givesBack?: boolean
}

/** Writes a head of any kind of structure. Returns it with its serialized JSON. */
export function writeStructure(
  call: WriteCall,
  { rules, scope, head, events, details, givesBack }: StructureWrite,
): Promise<Entity> {
  const packageName = scope.package?.name ?? null
  return writeHead(call, {
    head,
    json: storedText(rules, head, { visible: headVersion(head), packageName }),
    rows: { ...rowsOf(rules, head), ...(givesBack !== undefined && { givesBack }) },
    follow: () => touchNames(call.store, head, rules),
    status: null,
    events,
    details: { name: head.name, ...details },
  })
}

/**
 * Invalidates the cached names that items show (see `StructureRecord`). Does nothing for kinds
 * whose names they do not show.
 */
export async function touchNames(
  store: Transaction,
  { repositoryId }: Branch,
  { isVisibleOnItems }: Pick<StructureKind, 'isVisibleOnItems'>,
): Promise<void> {
  if (!isVisibleOnItems) return
  const found = await store.records.get('structure', repositoryId)
  await store.records.put('structure', { id: repositoryId }, found?.revision ?? 0)
}

function rowsOf(rules: StructureKind, head: Entity): DerivedRows {
  const content = contentOf(head)
  const { name, description } = content
  const passages = description === '' ? [] : [{ path: 'description', text: description }]
  return {
    values: valuesOf(rules, content),
    edges: edgesOf(rules, content),
    search: { name, passages, categories: [], file: null },
  }
}

/** The values by which lists are filtered: the sibling key, the owner and the parent. */
function valuesOf(rules: StructureKind, content: StructureContent): IndexedValue[] {
  const members = [rules.owner, rules.parent].flatMap((ref) => ref?.member ?? [])
  const named = members.filter((member) => member !== 'parentId')
  return [
    { path: siblingPath, value: siblingKey(rules, content) },
    ...named.map((path) => ({ path, value: memberOf(content, path) })),
  ]
}

/** The edges to other entities. A parent or an owner cannot be deleted without it. */
function edgesOf({ parent, owner, references }: StructureKind, content: StructureContent): Edge[] {
  const named = [
    ...(parent ? [{ ...parent, path: 'parent', onDelete: 'restrict' } as const] : []),
    ...(owner ? [{ ...owner, path: owner.kind, onDelete: 'restrict' } as const] : []),
    ...references.map((one) => ({ ...one, path: one.member, onDelete: 'ignore' }) as const),
  ]
  return named.flatMap(({ member, path, onDelete }) => {
    const targetId = memberOf(content, member)
    return targetId === null ? [] : [{ path, targetId, onDelete }]
  })
}
