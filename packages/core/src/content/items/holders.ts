import { QuireError, type DeleteImpact, type JournalEvent, type Field } from '@quire/contract'
import type { Call, WriteCall } from '../../engine/call.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import type { Scope } from '../../engine/scope.ts'
import type { IncomingEdge, JsonObject, Branch, Transaction, Json, EntityReader } from '../../ports/index.ts'
import { typeOf } from '../types/find.ts'
import { contentOf, type ItemContent } from './content.ts'
import { mayRead } from './find.ts'
import { writeItem } from './save.ts'
import { rulesOf } from '../fields/index.ts'
import { innerObjects } from '../types/values.ts'
import { liveHeads } from '../kinds/heads.ts'

// A deletion with more references is rejected: one request should not change so many items.
const maxHolders = 1000

/**
 * A reference in the answer or the error of a deletion: the item that holds it, and the path of the
 * field.
 */
export interface NamedHolder {
  readonly id: string
  readonly path: string
}

/**
 * Finds the references to the targets from anything that is not itself a target. Errors:
 * `referenced` for more than 1 000.
 */
export async function holdersOf(
  store: Transaction,
  branch: Branch,
  targets: readonly string[],
): Promise<readonly IncomingEdge[]> {
  const unique = new Set(targets)
  const yieldToLoop = yieldingToLoop()
  const holders: IncomingEdge[] = []
  for (const target of unique) {
    const edges = await store.entities.incoming(branch, target, maxHolders + 1)
    holders.push(...edges.filter(({ source }) => !unique.has(source.id)))
    if (edges.length > maxHolders || holders.length > maxHolders) {
      const message = `More than ${maxHolders} references point to what you want to delete: remove some of them first.`
      throw new QuireError('referenced', message)
    }
    await yieldToLoop()
  }
  return holders
}

/**
 * Errors: `referenced` if a `restrict` field refers to a target. The details list the references
 * that the caller may read.
 */
export function requireUnreferenced(call: Call, holders: readonly IncomingEdge[]): void {
  const holding = holders.filter(({ onDelete }) => onDelete === 'restrict')
  if (holding.length === 0) return
  // The error reveals that a reference exists, but not how many references the caller may not read.
  const named = namedHolders(call, holding)
  throw new QuireError('referenced', heldMessage, { details: { count: named.length, holders: named } })
}

/** The message of the `referenced` error. */
export const heldMessage = 'References in other items prevent the deletion: see details.'

/**
 * What a deletion does to the items that refer to its targets. Contains only items that the caller
 * may read.
 */
export function impactOf(call: Call, holders: readonly IncomingEdge[]): DeleteImpact {
  const impact: DeleteImpact = { restrict: [], unset: [], ignore: [] }
  for (const { source, path, onDelete } of holders) {
    const { kind, id, name, type } = source
    if (kind === 'item' && mayRead(call, source)) impact[onDelete].push({ id, name, type, path })
  }
  return impact
}

/** The references whose item the caller may read. */
function namedHolders(call: Call, holders: readonly IncomingEdge[]): NamedHolder[] {
  return holders
    .filter(({ source }) => source.kind === 'item' && mayRead(call, source))
    .map(({ source, path }) => ({ id: source.id, path }))
}

interface UnsetRequest {
  readonly scope: Scope
  readonly holders: readonly IncomingEdge[]
  readonly event: JournalEvent
}

/**
 * Removes the targets from all items that refer to them by `unset`. Each item gets one new version.
 * Returns the removed references that the caller may read.
 */
export async function unsetHolders(
  call: WriteCall,
  { scope, holders, event }: UnsetRequest,
): Promise<NamedHolder[]> {
  const unset = holders.filter(({ onDelete, source }) => onDelete === 'unset' && source.kind === 'item')
  const yieldToLoop = yieldingToLoop()
  for (const edges of Map.groupBy(unset, ({ source }) => source.id).values()) {
    const [first] = edges
    if (!first) continue
    const { source: previous } = first
    const type = await typeOf(call, previous)
    const targetIds = edges.map(({ targetId }) => targetId)
    const content = contentOf(previous)
    const fields = targetIds.reduce<JsonObject>(
      (values, targetId) => withoutTarget(type.fields, values, targetId),
      content.fields,
    )
    const categories = content.categories.filter((id) => !targetIds.includes(id))
    const left = { ...content, fields, categories }
    await writeItem(call, { scope, type, previous, content: left, event, givesBack: true })
    await yieldToLoop()
  }
  return namedHolders(call, unset)
}

/**
 * Values without the references to one target: a single value is removed, and a list loses the
 * entry.
 */
function withoutTarget(fields: readonly Field[], values: JsonObject, targetId: string): JsonObject {
  const stored = fields.flatMap((field): [string, Json][] => {
    const value = values[field.name]
    if (value === undefined) return []
    const left = withoutTargetIn(field, value, targetId)
    return left === undefined ? [] : [[field.name, left]]
  })
  return Object.fromEntries(stored)
}

function withoutTargetIn(field: Field, value: Json, targetId: string): Json | undefined {
  if (isUnset(field)) {
    if (Array.isArray(value)) return value.filter((entry) => entry !== targetId)
    return value === targetId ? undefined : value
  }
  const inner = innerObjects(field, value).map((object) => ({
    ...object.own,
    ...withoutTarget(object.fields, object.value, targetId),
  }))
  if (inner.length === 0) return value
  return Array.isArray(value) ? inner : inner[0]
}

/**
 * Whether a field loses the id of a deleted target. Other fields keep it until someone changes
 * them.
 */
function isUnset(field: Field): boolean {
  const { target } = rulesOf(field)
  return target !== null && target(field.settings).onDelete !== 'ignore'
}

/**
 * An earlier content without the categories and the folder that no longer exist. Returns the same
 * object if all exist.
 */
export async function withoutMissing(
  entities: EntityReader,
  branch: Branch,
  content: ItemContent,
): Promise<ItemContent> {
  const { categories, folderId } = content
  const live = await liveHeads(entities, branch, { kind: 'category', ids: categories })
  const isGone = folderId !== null && !(await isLiveFolder(entities, branch, folderId))
  const left = categories.filter((id) => live.has(id))
  if (!isGone && left.length === categories.length) return content
  return { ...content, categories: left, folderId: isGone ? null : folderId }
}

async function isLiveFolder(entities: EntityReader, branch: Branch, id: string): Promise<boolean> {
  const folder = await entities.get(branch, 'folder', id)
  return folder !== null && folder.deletedDate === null
}
