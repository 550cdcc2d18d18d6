import {
  defaultApiName,
  QuireError,
  type Contract,
  type OutputOf,
  type ParsedOf,
  type SchemaChange,
  type SchemaType,
  type TypeDefinition,
} from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { digest } from '../../engine/digest.ts'
import { isRefusal } from '../../engine/errors.ts'
import type { Stored } from '../../ports/index.ts'
import { misfitsOf, readsOf, type ItemsRead } from '../migrations/misfits.ts'
import { renameIssues } from '../migrations/values.ts'
import { requireValidType } from '../types/definition.ts'
import { hasItems } from '../types/find.ts'
import { changedFields, changedMembers } from './differences.ts'
import { plannedBefore } from './planned-before.ts'

type Input = ParsedOf<Contract['schema']['plan']>
type Plan = OutputOf<Contract['schema']['plan']>

/** A change with what is needed to make it. */
export interface PlannedType {
  readonly change: SchemaChange
  /** The type here; null if it is created. */
  readonly before: Stored<'type'> | null
  /** The type of the schema; null if it is deleted. */
  readonly after: SchemaType | null
}

/** A plan with what is needed to apply it. */
export interface PlannedSchema {
  readonly plan: Plan
  readonly types: readonly PlannedType[]
}

/** Returns what a schema would do. Only reads. Errors: `invalid`, naming the type and the field. */
export async function planSchema(call: Call, input: Input): Promise<Plan> {
  return (await plannedSchema(call, input)).plan
}

/**
 * Compares a schema with the content types, and counts what it does to items. Reports how many items it
 * has read. Errors: `invalid`.
 */
export async function plannedSchema(
  call: Call,
  input: Input,
  progress?: (done: number, total: number) => void,
): Promise<PlannedSchema> {
  await requireValid(input.types)
  const { planId, pairs, others } = await comparedTypes(call, input)
  const known = progress ? null : await plannedBefore(call, planId)
  const reading = progress && { done: 0, total: await itemsToRead(call, pairs), progress }
  const planned: PlannedType[] = []
  for (const { before, after } of pairs) {
    const name = (after ?? before)?.name
    const change = known
      ? known.changes.find(({ type }) => type === name)
      : await changeOf(call, { before, after }, reading)
    if (change && isChange(change)) planned.push({ before, after, change })
  }
  const changes = planned.map(({ change }) => change)
  return { plan: { planId, applied: false, changes, others }, types: planned }
}

/** A type as it is and as the schema says; null if it is created or deleted. */
type Pair = Pick<PlannedType, 'before' | 'after'>

/** Which types a schema is about. The id of the plan identifies them and their revisions. */
export async function comparedTypes(
  call: Call,
  { types, prune }: Input,
): Promise<{ planId: string; pairs: readonly Pair[]; others: string[] }> {
  const left = new Map((await call.store.records.list('type')).map((type) => [type.name, type]))
  const names = new Set(left.keys())
  const pairs = types.map((after): Pair => {
    const name = names.has(after.name) ? after.name : (after.renamedFrom ?? after.name)
    const before = left.get(name) ?? null
    left.delete(name)
    return { before, after }
  })
  if (prune) pairs.push(...[...left.values()].map((before): Pair => ({ before, after: null })))
  const compared = pairs.map(({ before }) => (before ? `${before.id} ${before.revision}` : ''))
  return {
    planId: await digest(JSON.stringify([types, prune, compared])),
    pairs,
    others: prune ? [] : [...left.keys()].toSorted(),
  }
}

/** Errors: `invalid` with paths such as `types.2.fields.0.settings.pattern`. */
async function requireValid(types: readonly SchemaType[]): Promise<void> {
  for (const [index, type] of types.entries()) {
    const issues = [...(await definitionIssues(type)), ...renameIssues(type.fields, type.renames)]
    if (issues.length > 0)
      throw invalid(issues.map(({ path, message }) => ({ path: `types.${index}.${path}`, message })))
  }
}

async function definitionIssues(type: SchemaType) {
  try {
    await requireValidType(type)
    return []
  } catch (error) {
    if (error instanceof QuireError && isRefusal(error) && error.issues) return error.issues
    throw error
  }
}

/** The number of items that a plan has to read. */
async function itemsToRead(call: Call, pairs: readonly Pair[]): Promise<number> {
  let count = 0
  for (const { before, after } of pairs) {
    if (!before || !after) continue
    const changed = { ...before, ...definitionOf(after) }
    count += await readsOf(call, { before, after: changed, renames: after.renames })
  }
  return count
}

/** Undefined if there is no type, neither before nor after. */
async function changeOf(
  call: Call,
  { before, after }: Pair,
  reading: ItemsRead | undefined,
): Promise<SchemaChange | undefined> {
  if (!after) return before ? deletionOf(call, before) : undefined
  const type = after.name
  const unchanged = {
    renamedFrom: null,
    members: [],
    convert: 0,
    lose: 0,
    needsMigrate: false,
    problem: null,
  }
  if (!before) return { ...unchanged, type, kind: 'create', fields: changedFields([], after.fields, after) }
  const definition = definitionOf(after)
  const changed = { ...before, ...definition }
  const typeChange = { before, after: changed, renames: after.renames }
  const { convert, lose, duplicates, hasUnreadable } = await misfitsOf(call, typeChange, reading)
  const change: SchemaChange = {
    type,
    kind: 'update',
    renamedFrom: before.name === type ? null : before.name,
    members: changedMembers(before, definition),
    fields: changedFields(before.fields, after.fields, after),
    convert,
    lose,
    needsMigrate: convert > 0 || duplicates > 0 || hasUnreadable,
    problem: null,
  }
  return isChange(change) ? { ...change, problem: await problemOf(call, before, type) } : change
}

function isChange({ kind, members, fields }: SchemaChange): boolean {
  return kind !== 'update' || members.length > 0 || fields.length > 0
}

/** The definition of a type of a schema, with what it does not say. */
export function definitionOf(type: SchemaType): TypeDefinition {
  const { name, displayName = name, apiName = defaultApiName(name), description, settings, fields } = type
  return { name, displayName, apiName, description, settings, fields }
}

async function deletionOf(call: Call, before: Stored<'type'>): Promise<SchemaChange> {
  return {
    type: before.name,
    kind: 'delete',
    renamedFrom: null,
    members: [],
    fields: [],
    convert: 0,
    lose: 0,
    needsMigrate: false,
    problem: await problemOf(call, before, null),
  }
}

/** Why a type cannot be changed, or get another name (null: be deleted). Null if it can. */
async function problemOf({ store }: Call, type: Stored<'type'>, name: string | null): Promise<string | null> {
  if (type.isLocked) return `The content type "${type.name}" is locked: unlock it first.`
  if (name === type.name || !(await hasItems(store, type.name))) return null
  const what = name === null ? 'be deleted' : 'get another name'
  return `The content type "${type.name}" has items, so it cannot ${what}.`
}
