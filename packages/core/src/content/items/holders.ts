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

// More references than this are refused: to unset so many belongs in a job.
const mostHolders = 1000

/** A reference, as deletions name it. */
export interface NamedHolder {
  readonly id: string
  readonly path: string
}

/** The references that others hold to what is to be deleted. Errors: `referenced` past 1 000. */
export async function holdersOf(
  store: Transaction,
  branch: Branch,
  targets: readonly string[],
): Promise<readonly IncomingEdge[]> {
  const going = new Set(targets)
  const yieldToLoop = yieldingToLoop()
  const holders: IncomingEdge[] = []
  for (const target of going) {
    const edges = await store.entities.incoming(branch, target, mostHolders + 1)
    holders.push(...edges.filter(({ source }) => !going.has(source.id)))
    if (edges.length > mostHolders || holders.length > mostHolders) {
      const message = `More than ${mostHolders} references point here: remove some first.`
      throw new QuireError('referenced', message)
    }
    await yieldToLoop()
  }
  return holders
}

/** Errors: `referenced` when a `restrict` field holds what is to be deleted. */
export function requireUnheld(call: Call, holders: readonly IncomingEdge[]): void {
  const holding = holders.filter(({ onDelete }) => onDelete === 'restrict')
  if (holding.length === 0) return
  // That something holds it cannot be hidden; how much there is that the caller may not read can.
  const named = namedHolders(call, holding)
  throw new QuireError('referenced', heldMessage, { details: { count: named.length, holders: named } })
}

/** What is said of what a `restrict` field holds. */
export const heldMessage = 'References in other items hold this one: see details.'

/** What a deletion does to the items that hold what it deletes, of those that the caller may read. */
export function impactOf(call: Call, holders: readonly IncomingEdge[]): DeleteImpact {
  const impact: DeleteImpact = { restrict: [], unset: [], ignore: [] }
  for (const { source, path, onDelete } of holders) {
    const { kind, id, name, type } = source
    if (kind === 'item' && mayRead(call, source)) impact[onDelete].push({ id, name, type, path })
  }
  return impact
}

/** Those of some references whose item the caller may read. */
function namedHolders(call: Call, holders: readonly IncomingEdge[]): NamedHolder[] {
  return holders
    .filter(({ source }) => source.kind === 'item' && mayRead(call, source))
    .map(({ source, path }) => ({ id: source.id, path }))
}

interface Unsetting {
  readonly scope: Scope
  readonly holders: readonly IncomingEdge[]
  readonly event: JournalEvent
}

/**
 * Takes what is to be deleted out of the items that hold it by `unset`, each as one new version; those that the caller may read are
 * answered.
 */
export async function unsetHolders(
  call: WriteCall,
  { scope, holders, event }: Unsetting,
): Promise<NamedHolder[]> {
  const unset = holders.filter(({ onDelete, source }) => onDelete === 'unset' && source.kind === 'item')
  const yieldToLoop = yieldingToLoop()
  for (const edges of Map.groupBy(unset, ({ source }) => source.id).values()) {
    const [first] = edges
    if (!first) continue
    const { source: previous } = first
    const type = await typeOf(call, previous)
    const gone = edges.map(({ targetId }) => targetId)
    const content = contentOf(previous)
    const fields = gone.reduce<JsonObject>(
      (values, targetId) => withoutTarget(type.fields, values, targetId),
      content.fields,
    )
    const categories = content.categories.filter((id) => !gone.includes(id))
    const left = { ...content, fields, categories }
    await writeItem(call, { scope, type, previous, content: left, event, givesBack: true })
    await yieldToLoop()
  }
  return namedHolders(call, unset)
}

/** Values without the references to one target: a single value goes, a list loses the entry. */
function withoutTarget(fields: readonly Field[], values: JsonObject, targetId: string): JsonObject {
  const stored = fields.flatMap((field): [string, Json][] => {
    const value = values[field.name]
    if (value === undefined) return []
    const left = cleaned(field, value, targetId)
    return left === undefined ? [] : [[field.name, left]]
  })
  return Object.fromEntries(stored)
}

function cleaned(field: Field, value: Json, targetId: string): Json | undefined {
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

/** Whether an id goes with what it is the id of. Others stay until somebody changes them. */
function isUnset(field: Field): boolean {
  const { target } = rulesOf(field)
  return target !== null && target(field.settings).onDelete !== 'ignore'
}

/** An earlier content without the categories and the folder that were deleted meanwhile; the very content when nothing was. */
export async function withoutGone(
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
