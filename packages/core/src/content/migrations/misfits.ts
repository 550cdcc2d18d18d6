import type { ContentType, Field } from '@quire/contract'
import { mayDo, readerFor } from '../../engine/access/permissions.ts'
import type { Call } from '../../engine/call.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { isSame } from '../../engine/same.ts'
import type { Branch, Entity, Filter, Json, JsonObject, QueryField, Reader } from '../../ports/index.ts'
import { rulesOf } from '../fields/index.ts'
import { valuesInUse } from '../items/check.ts'
import { contentOf } from '../items/content.ts'
import { mayRead } from '../items/find.ts'
import { isCompatible } from '../types/derived.ts'
import { convertedValues } from '../locales/convert.ts'
import { branchesOf, itemsOnBranch, typeIn } from '../types/find.ts'
import { checkValues } from '../types/values.ts'
import { fittingValues, renamedValues, valueCount, type Renames } from './values.ts'

/** The items that do not fit a changed type, of those that the caller may read. */
export interface Misfits {
  /** Items that a migration converts. */
  readonly convert: number
  /** Those of them that lose values. */
  readonly lose: number
  /** Items with a value that another one has, too, in a field that becomes unique. */
  readonly duplicates: number
  /** Whether there are items that the caller may not read. */
  readonly hasUnreadable: boolean
}

const none: Misfits = { convert: 0, lose: 0, duplicates: 0, hasUnreadable: false }

/**
 * Counts the items that do not fit a changed type. The index of values answers it where it can: then
 * no item is read on main.
 */
export async function misfitsOf(call: Call, change: TypeChange, reading?: ItemsRead): Promise<Misfits> {
  const counts = []
  for (const branch of await branchesOf(call.store)) {
    const there = await changeIn(call, change, branch)
    if (isCompatible(there.before.fields, there.after.fields)) continue
    const conditions = conditionsOf(there)
    counts.push(
      conditions && branch.packageId === null
        ? await countedOnMain(call, branch, { type: there.before.name, conditions })
        : await readOn(call, branch, { ...there, reading }),
    )
  }
  return counts.reduce(sum, none)
}

/** A change of a type as a repository stores the values of both. */
export async function changeIn<C extends Pick<TypeChange, 'before' | 'after'>>(
  call: Call,
  change: C,
  { repositoryId }: { readonly repositoryId: string },
): Promise<C> {
  const [before, after] = [change.before, change.after].map((type) => typeIn(call, type, repositoryId))
  return { ...change, before: await before, after: await after }
}

/** Counts the items that are read. */
export interface ItemsRead {
  done: number
  readonly total: number
  readonly progress: (done: number, total: number) => void
}

/** The number of items on main that `misfitsOf` has to read. Those in packages are few. */
export async function readsOf(call: Call, change: TypeChange): Promise<number> {
  const { store } = call
  let total = 0
  for (const { id: repositoryId } of await store.records.list('repository')) {
    const there = await changeIn(call, change, { repositoryId })
    if (isCompatible(there.before.fields, there.after.fields) || conditionsOf(there)) continue
    const reader: Reader = { types: [change.before.name], roles: 'all' }
    const query = { kind: 'item', reader, archived: true, sort: [], limit: 1, count: true } as const
    total += (await store.entities.list({ repositoryId, packageId: null }, query)).count ?? 0
  }
  return total
}

function sum(one: Misfits, other: Misfits): Misfits {
  return {
    convert: one.convert + other.convert,
    lose: one.lose + other.lose,
    duplicates: one.duplicates + other.duplicates,
    hasUnreadable: one.hasUnreadable || other.hasUnreadable,
  }
}

interface Counted {
  readonly type: string
  readonly conditions: { readonly convert: readonly Filter[]; readonly lose: readonly Filter[] }
}

async function countedOnMain(call: Call, branch: Branch, { type, conditions }: Counted): Promise<Misfits> {
  const all: Reader = { types: [type], roles: 'all' }
  const { types, roles } = readerFor(call.identity.permissions, 'items.read', branch.repositoryId)
  const mine: Reader = { types: types === 'all' || types.includes(type) ? [type] : [], roles }
  const isWhole = mine.types.length > 0 && roles === 'all'
  const count = async (reader: Reader, filter?: Filter): Promise<number> => {
    const query = { kind: 'item', reader, archived: true, sort: [], limit: 1, count: true } as const
    const page = await call.store.entities.list(branch, { ...query, ...(filter && { filter }) })
    return page.count ?? 0
  }
  const among = (filters: readonly Filter[]) => (filters.length === 0 ? 0 : count(mine, { any: filters }))
  return {
    convert: await among(conditions.convert),
    lose: await among(conditions.lose),
    duplicates: 0,
    hasUnreadable: !isWhole && (await count(all)) > (await count(mine)),
  }
}

async function readOn(
  call: Call,
  branch: Branch,
  { before, after, renames, reading }: TypeChange & { readonly reading: ItemsRead | undefined },
): Promise<Misfits> {
  let { convert, lose, duplicates, hasUnreadable } = none
  const yieldToLoop = yieldingToLoop()
  for await (const item of itemsOnBranch(call.store, branch, before.name)) {
    await yieldToLoop()
    call.signal?.throwIfAborted()
    if (reading) reading.progress((reading.done += 1), reading.total)
    if (!mayReadOn(call, branch, item)) {
      hasUnreadable = true
      continue
    }
    const { fields: values } = contentOf(item)
    const converted = convertedValues({ from: before, to: after, renames }, values)
    if (!isSame(converted, values) || (await checkValues(after.fields, values)).issues.length > 0) {
      const renamed = renamedValues(after.fields, converted, { renames })
      convert += 1
      if (valueCount(await fittingValues(after.fields, renamed)) < valueCount(renamed)) lose += 1
    } else if (await isDuplicate(call, branch, { type: after, item })) duplicates += 1
  }
  return { convert, lose, duplicates, hasUnreadable }
}

function mayReadOn(call: Call, { packageId, repositoryId }: Branch, item: Entity): boolean {
  const maySeeBranch =
    packageId === null || mayDo(call.identity.permissions, 'packages.view', { repositoryId })
  return maySeeBranch && mayRead(call, item)
}

async function isDuplicate(
  call: Call,
  branch: Branch,
  { type, item }: { type: ContentType; item: Entity },
): Promise<boolean> {
  const values = contentOf(item).fields
  return (await valuesInUse(call.store.entities, { branch, type, values, id: item.id })).length > 0
}

/** A change of a content type. */
export interface TypeChange {
  readonly before: ContentType
  readonly after: ContentType
  readonly renames: Renames
}

/** Which items a changed field affects. */
interface FieldConditions {
  readonly convert: readonly Filter[]
  /** Those that lose the value of the field. */
  readonly lose: readonly Filter[]
}

const nobody: FieldConditions = { convert: [], lose: [] }

/**
 * The items that do not fit a changed type, as conditions on indexed values: an item that meets any
 * of them does not fit. Null if the index cannot tell.
 */
function conditionsOf({ before, after, renames }: TypeChange): FieldConditions | null {
  const all: FieldConditions[] = []
  for (const field of before.fields) {
    const next = after.fields.find(({ name }) => name === field.name)
    const renamed = after.fields.find(({ name }) => renames[name] === field.name)
    const found = next ? changed(field, next) : removed(field, renamed)
    if (!found) return null
    all.push(found)
  }
  return { convert: all.flatMap(({ convert }) => convert), lose: all.flatMap(({ lose }) => lose) }
}

function indexed(field: Field): QueryField | null {
  return rulesOf(field).comparison === null ? null : { path: field.name, list: field.list }
}

/** A field that is removed, or has another name. */
function removed(field: Field, renamed: Field | undefined): FieldConditions | null {
  const path = indexed(field)
  if (!path || (renamed && !isSameField({ ...field, name: renamed.name }, renamed))) return null
  const having: readonly Filter[] = [{ field: path, op: 'exists', value: true }]
  return { convert: having, lose: renamed ? [] : having }
}

function isSameField(one: Field, other: Field): boolean {
  const rules = ({ name, kind, list, settings }: Field) => ({ name, kind, list, settings }) as unknown as Json
  return isSame(rules(one), rules(other)) && (one.unique || !other.unique)
}

/** A field that exists before and after. */
function changed(field: Field, next: Field): FieldConditions | null {
  if (isSameField(field, next)) return nobody
  if (field.kind !== next.kind || field.list !== next.list || (next.unique && !field.unique)) return null
  const unfit = unfitValues(field, next)
  return unfit && { convert: unfit, lose: unfit }
}

/** The values that the changed settings of a field do not allow any more; null if the index cannot tell. */
function unfitValues(field: Field, next: Field): readonly Filter[] | null {
  const { settings, unfit } = rulesOf(next).narrowing
  const path = indexed(field)
  if (!path || !differOnlyIn(settings, field, next)) return null
  const having = { field: path, op: 'exists', value: true } as const
  const conditions = unfit(next.settings)
  // A list can have an unfit value beside fitting ones.
  if (field.list && conditions.some(({ op }) => op === 'nin')) return null
  return conditions.map((condition) => ({ all: [having, { field: path, ...condition }] }))
}

function differOnlyIn(members: readonly string[], field: Field, next: Field): boolean {
  // Settings were parsed from JSON.
  const rest = ({ settings }: Field) => ({
    ...settings,
    ...Object.fromEntries(members.map((name) => [name, null])),
  })
  return isSame(rest(field) as JsonObject, rest(next) as JsonObject)
}
