import { QuireError, type ContentType, type Locales, type Repository } from '@quire/contract'
import type { Call, WriteCall } from '../../engine/call.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { isSame } from '../../engine/same.ts'
import { scopeOf } from '../../engine/scope.ts'
import type { Branch, Entity, PublishedBranch } from '../../ports/index.ts'
import { contentOf } from '../items/content.ts'
import { publicationsIn, publishedBranches, stateWithLocales } from '../items/publications.ts'
import { leavePublishedBranch } from '../items/published-branch.ts'
import { rederiveItem, writeItem } from '../items/save.ts'
import { valueCount } from '../migrations/values.ts'
import { branchesOf, idsOnBranch } from '../types/find.ts'
import { convertedValues } from './convert.ts'
import { hasLocalized, typeInLocales } from './fields.ts'

/** A repository whose locales change. */
interface LocalesChange {
  readonly before: Repository
  readonly after: Repository
}

/** A type as its items are stored before and after the change. */
interface TypeForms {
  readonly from: ContentType
  readonly to: ContentType
  /** A value of a locale that is removed takes no other's place. */
  readonly leavesOut: true
  /** Whether it has localized fields. */
  readonly isLocalized: boolean
}

/** Reports how many items were read. */
type Progress = (done: number, total: number) => void

/**
 * Counts the items that other locales convert, and changes nothing. Errors: `invalid_state` if packages
 * that contain such items are open while locales are switched on or off.
 */
export async function plannedLocales(
  call: Call,
  change: LocalesChange,
  progress?: Progress,
): Promise<Counts> {
  const [was, is] = localesIn(change)
  if (isSame(was ?? null, is ?? null)) return nothing
  const forms = await formsIn(call, change)
  const pages = await pagesOf(call, change.after.id)
  const counts = await countsOf(call, { pages, forms, change, ...(progress && { progress }) })
  requireNoneInPackages(counts, change)
  return counts
}

/**
 * Converts the items of a repository whose locales have changed, in the caller's transaction: those
 * whose values differ get a new version, and the index of the others is written again.
 * Errors: `invalid_state` with the number of items, if items would be converted and `migrate` is
 * not set; if packages that contain such items are open while locales are switched on or off.
 */
export async function migrateLocales(
  call: WriteCall,
  { migrate, ...change }: LocalesChange & { readonly migrate: boolean },
): Promise<void> {
  const { before, after } = change
  const [was, is] = localesIn(change)
  if (isSame(was ?? null, is ?? null)) return
  call.locales.set(after.id, is ?? null)
  const forms = await formsIn(call, change)
  // All ids are read before the first write, because lists are in the order of writing.
  const pages = await pagesOf(call, after.id)
  const inPackages = pages.filter(({ branch }) => branch.packageId !== null)
  const counts = await countsOf(call, { pages: migrate ? inPackages : pages, forms, change })
  requireNoneInPackages(counts, change)
  if (!migrate) requireNone(counts)
  const left = leftBranches(before, after)
  for await (const { branch, item } of itemsIn(call, pages)) {
    const form = forms.get(item.type)
    if (form) await convertItem(call, { branch, item, form, state: stateWithLocales(item, was, is) })
    if (branch.packageId === null) await leaveBranches(call, item, left)
  }
}

function localesIn({ before, after }: LocalesChange): readonly [Locales | undefined, Locales | undefined] {
  return [before.settings.locales, after.settings.locales]
}

/** The content types, as items of the repository are stored before and after the change. */
async function formsIn(call: Call, change: LocalesChange): Promise<Forms> {
  const types = await call.store.records.list('type')
  return new Map(types.map((type) => [type.name, formsOf(type, ...localesIn(change))]))
}

/** The items of pages, one after the other, while others use the thread. */
async function* itemsIn(
  call: Call,
  pages: readonly Page[],
): AsyncGenerator<{ readonly branch: Branch; readonly item: Entity }> {
  const yieldToLoop = yieldingToLoop()
  for (const { branch, ids } of pages)
    for (const item of await call.store.entities.getMany(branch, 'item', ids)) {
      await yieldToLoop()
      call.signal?.throwIfAborted()
      yield { branch, item }
    }
}

async function leaveBranches(
  call: WriteCall,
  { id }: Entity,
  branches: readonly PublishedBranch[],
): Promise<void> {
  for (const branch of branches) await leavePublishedBranch(call.store, branch, id)
}

/** The published branches that a repository has no more. */
function leftBranches(before: Repository, after: Repository): PublishedBranch[] {
  const kept = new Set(publishedBranches(after).map(({ packageId }) => packageId))
  return publishedBranches(before).filter(({ packageId }) => !kept.has(packageId))
}

/** The ids of items on one branch. */
interface Page {
  readonly branch: Branch
  readonly ids: readonly string[]
}

type Forms = ReadonlyMap<string, TypeForms>

/** The items on every branch of a repository. */
async function pagesOf(call: Call, repositoryId: string): Promise<readonly Page[]> {
  const pages: Page[] = []
  const yieldToLoop = yieldingToLoop()
  const branches = (await branchesOf(call.store)).filter((branch) => branch.repositoryId === repositoryId)
  for (const branch of branches)
    for await (const ids of idsOnBranch(call.store, branch)) {
      await yieldToLoop()
      pages.push({ branch, ids })
    }
  return pages
}

interface ToCount {
  readonly pages: readonly Page[]
  readonly forms: Forms
  readonly change: LocalesChange
  readonly progress?: Progress
}

/** Counts the items that other locales change. */
async function countsOf(call: Call, { pages, forms, change, progress }: ToCount): Promise<Counts> {
  const [was, is] = localesIn(change)
  const isOtherDefault = was !== undefined && is !== undefined && was.default !== is.default
  const total = pages.reduce((sum, { ids }) => sum + ids.length, 0)
  const counts = { ...nothing }
  let done = 0
  for await (const { branch, item } of itemsIn(call, pages)) {
    progress?.((done += 1), total)
    counts.unpublish += Number(isUnpublished(item, was, is))
    const form = forms.get(item.type)
    const { fields } = contentOf(item)
    const values = form ? convertedValues(form, fields) : fields
    const isOther = isOtherDefault && form?.isLocalized === true
    if (!isOther && isSame(values, fields)) continue
    counts.convert += 1
    counts.lose += Number(valueCount(values) < valueCount(fields))
    counts.inPackages += Number(branch.packageId !== null)
  }
  return counts
}

function formsOf(type: ContentType, was: Locales | undefined, is: Locales | undefined): TypeForms {
  const isLocalized = hasLocalized(type.fields)
  return { from: inForm(type, was), to: inForm(type, is), isLocalized, leavesOut: true }
}

function inForm(type: ContentType, locales: Locales | undefined): ContentType {
  return locales ? typeInLocales(type, locales) : type
}

interface Counts {
  readonly convert: number
  readonly lose: number
  /** Those of main that are public in a locale that there is no more. */
  readonly unpublish: number
  readonly inPackages: number
}

const nothing: Counts = { convert: 0, lose: 0, unpublish: 0, inPackages: 0 }

/** Whether something that is public is so no more, because its locale is removed. */
function isUnpublished(item: Entity, was: Locales | undefined, is: Locales | undefined): boolean {
  if (!was || item.packageId !== null || item.publishedVersion === null) return false
  const codes = Object.keys(publicationsIn(item, was))
  return is ? codes.some((code) => !is.list.some((one) => one.code === code)) : !codes.includes(was.default)
}

/** Errors: `invalid_state` while packages contain localized items, and locales are switched on or off. */
function requireNoneInPackages({ inPackages }: Counts, change: LocalesChange): void {
  const [was, is] = localesIn(change)
  if (!was === !is || inPackages === 0) return
  throw new QuireError(
    'invalid_state',
    `${inPackages} items with localized fields are changed in open packages: merge or delete these packages first.`,
    { details: { count: inPackages } },
  )
}

/** Errors: `invalid_state` for a change of content that the caller has not confirmed. */
function requireNone({ convert, lose, unpublish }: Counts): void {
  if (convert + unpublish === 0) return
  const losing = lose === 0 ? '' : `, and ${lose} of them lose values`
  const effects = [
    ...(convert === 0 ? [] : [`changes the localized values of ${convert} items${losing}`]),
    ...(unpublish === 0 ? [] : [`unpublishes ${unpublish} items in locales that are removed`]),
  ]
  throw new QuireError(
    'invalid_state',
    `This ${effects.join(', and ')}: send migrate: true to convert them.`,
    { details: { count: convert, lose, ...(unpublish > 0 && { unpublish }) } },
  )
}

interface ItemToConvert {
  readonly branch: Branch
  readonly item: Entity
  readonly form: TypeForms
  readonly state: Partial<Entity>
}

/** Writes an item in its new form, or only what is derived from it if its values are the same. */
async function convertItem(call: WriteCall, { branch, item, form, state }: ItemToConvert): Promise<void> {
  const content = contentOf(item)
  const fields = convertedValues(form, content.fields)
  const { to: type } = form
  if (isSame(fields, content.fields)) return rederiveItem(call, { head: item, type, state })
  const scope = await scopeOf(call, branch)
  const save = { scope, type, previous: { ...item, ...state }, content: { ...content, fields } }
  await writeItem(call, { ...save, event: 'ITEM_UPDATED', isMigrated: true }).catch((error: unknown) => {
    throw error instanceof QuireError ? namingItem(item, error) : error
  })
}

/** The same error, naming the item. */
function namingItem({ id }: Entity, error: QuireError): QuireError {
  const { code, message, issues, conflicts, details } = error
  const what = message === '' ? code : message
  return new QuireError(code, `Item ${id}: ${what}`, {
    ...(issues && { issues }),
    ...(conflicts && { conflicts }),
    ...(details && { details }),
  })
}
