import { type ContentType, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import { valueOf } from '../../engine/answer.ts'
import { mayDoInPart } from '../../engine/access/permissions.ts'
import { notPermitted, type Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { dryRun } from '../../engine/dry-run.ts'
import { requireRefusal } from '../../engine/errors.ts'
import { hasBefore } from '../../engine/hooks/before.ts'
import { isSame } from '../../engine/same.ts'
import { findScope } from '../../engine/scope.ts'
import { takeImportSlot } from '../../engine/take-slots.ts'
import { isJsonObject, type Json, type JsonObject } from '../../ports/index.ts'
import { definedType } from '../types/find.ts'
import { hasValue, patchOf, valueAt } from './columns.ts'
import { readRows, type ImportedRow } from './read.ts'

type Import = Contract['items']['importRows']
type Input = ParsedOf<Import>
type Report = OutputOf<Import>

/** Entries that a report lists. */
const mostListed = 1000

/** Rows that are saved at the same time. */
const atOnce = 8

/** What became of a row that was not refused. */
interface Saved {
  readonly kind: 'create' | 'update' | 'unchanged'
  readonly id: string
}

/** What happened to a row. */
type Outcome = Saved | { readonly kind: 'refuse'; readonly path: string; readonly message: string }

/**
 * Saves each row as an item, by itself. Errors: `not_found`, `forbidden`; `invalid` for unknown columns, and a
 * key that is none of them; `too_large`; `too_many_requests`.
 */
export async function importRows(call: Call, input: Input): Promise<Report> {
  const { branch, repository } = await findScope(call, input)
  const target = { ...branch, type: input.type, locales: repository.settings.locales }
  const keys = ['items.create', 'items.update'] as const
  if (!keys.some((key) => mayDoInPart(call.identity.permissions, key, target))) throw notPermitted(keys)
  const type = await definedType(call, input.type)
  const release = takeImportSlot(call)
  try {
    const report: Report = { rows: 0, create: 0, update: 0, unchanged: 0, refuse: 0, saved: [], refused: [] }
    // If-Match names one revision, so it cannot apply to many items.
    const each: Call = { ...call, ifMatch: undefined }
    for await (const group of groupsOf(readRows(type, input))) {
      call.signal?.throwIfAborted()
      const outcomes = await Promise.all(group.map((row) => outcomeOf(each, { input, type, row })))
      for (const [index, outcome] of outcomes.entries()) addTo(report, group[index]?.number ?? 0, outcome)
    }
    return report
  } finally {
    release()
  }
}

/** Rows to save together: a row for an item that an earlier one names waits for that one. */
async function* groupsOf(rows: AsyncIterable<ImportedRow>): AsyncGenerator<readonly ImportedRow[]> {
  let group: ImportedRow[] = []
  for await (const row of rows) {
    const isTaken = group.some(({ key }) => key !== null && isSame(key, row.key))
    if (group.length === atOnce || isTaken) {
      yield group
      group = []
    }
    group.push(row)
  }
  if (group.length > 0) yield group
}

function addTo(report: Report, row: number, outcome: Outcome): void {
  report.rows += 1
  report[outcome.kind] += 1
  if (outcome.kind === 'refuse') {
    const { path, message } = outcome
    if (report.refused.length < mostListed) report.refused.push({ row, path, message })
  } else if (outcome.kind !== 'unchanged' && report.saved.length < mostListed)
    report.saved.push({ row, kind: outcome.kind, id: outcome.id })
}

interface RowToSave {
  readonly input: Input
  readonly type: ContentType
  readonly row: ImportedRow
}

async function outcomeOf(call: Call, save: RowToSave): Promise<Outcome> {
  const { problem } = save.row
  if (problem !== null) return { kind: 'refuse', path: '', message: problem }
  try {
    return await (save.input.dryRun ? dryRun(call, (call) => saveRow(call, save)) : saveRow(call, save))
  } catch (error) {
    const known = requireRefusal(error, call.requestId)
    const [issue = { path: '', message: known.message }] = known.issues ?? []
    return { kind: 'refuse', ...issue }
  }
}

async function saveRow(call: Call, save: RowToSave): Promise<Saved> {
  const { configId, packageName, publish, locale } = save.input
  const existing = await existingOf(call, save)
  const saved = (call: Call) => (existing ? update(call, save, existing) : create(call, save))
  if (!publish) return saved(call)
  const savedAndPublished = async (call: Call) => {
    const outcome = await saved(call)
    if (outcome.kind !== 'unchanged' || !isPublished(existing, locale))
      await call.invoke('items.publish', {
        configId,
        packageName,
        id: outcome.id,
        ...(locale !== undefined && { locales: [locale] }),
      })
    return outcome
  }
  // A row that cannot be published is not saved.
  if (!hasBefore(call, 'item')) return call.write(savedAndPublished)
  // Hooks cannot run in a transaction. What they change may still be refused when it is published.
  await dryRun(call, savedAndPublished)
  return savedAndPublished(call)
}

/** Whether the newest version is public: in all locales that are, or in the one that is named. */
function isPublished(item: JsonObject | null, locale: string | undefined): boolean {
  const publications = item?.['publications']
  if (locale === undefined || !isJsonObject(publications)) return item?.['status'] === 'published'
  const there = publications[locale]
  return isJsonObject(there) && there['version'] === item?.['currentVersion']
}

/** The item that the key names. Errors: `invalid`. */
async function existingOf(call: Call, { input, row }: RowToSave): Promise<JsonObject | null> {
  const { configId, packageName, key: path, type, locale } = input
  if (path === undefined) return null
  const { key } = row
  if (path === 'id' && key === null) return null
  if (key === null || typeof key === 'object')
    throw invalid([{ path, message: 'is the key, and has no value' }])
  const filter = { [path]: { eq: key } }
  const { items } = valueOf(
    await call.invoke('items.list', {
      configId,
      packageName,
      type,
      filter,
      limit: 2,
      archived: true,
      skipCount: true,
      // What another locale shows instead is no value of this one.
      ...(locale !== undefined && { locale, fallback: false }),
    }),
  )
  if (items.length > 1) throw invalid([{ path, message: 'is the key of several items' }])
  // An item that was serialized is JSON.
  const [found = null] = items as unknown as readonly JsonObject[]
  if (found === null && path === 'id') throw invalid([{ path, message: 'is the id of no item of this type' }])
  return found
}

async function create(call: Call, { input, type, row }: RowToSave): Promise<Saved> {
  const { configId: repositoryId, packageName, locale } = input
  const filled = Object.entries(row.values).filter(([, value]) => value !== null)
  const patch = patchOf(row.columns, Object.fromEntries(filled))
  const named = { name: titleOf(type, patch), ...patch }
  const { id } = valueOf(
    await call.invoke('items.create', { repositoryId, packageName, locale, type: type.name, ...named }),
  )
  return { kind: 'create', id }
}

/** The name of an item whose row has none: its title. */
function titleOf({ settings }: ContentType, patch: JsonObject): Json {
  return valueAt(patch, `fields.${settings.titleField ?? settings.slugFrom ?? ''}`)
}

async function update(call: Call, { input, row }: RowToSave, existing: JsonObject): Promise<Saved> {
  const { configId, packageName, locale } = input
  const { id } = existing as { id: string }
  let isUnchanged = true
  for (const column of row.columns) {
    const value = row.values[column.name]
    isUnchanged &&= value === undefined || (await hasValue(existing, column, value))
  }
  if (isUnchanged) return { kind: 'unchanged', id }
  await call.invoke('items.update', {
    configId,
    packageName,
    id,
    locale,
    ...withoutNull(patchOf(row.columns, row.values)),
  })
  return { kind: 'update', id }
}

/** Members without a value are left as they are; only a folder and fields can be removed. */
function withoutNull(patch: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(patch).filter(([name, value]) => value !== null || name === 'folderId'),
  )
}
