import {
  QuireError,
  type ContentType,
  type Contract,
  type Item,
  type JournalEvent,
  type ParsedOf,
  type Issue,
  type OutputOf,
} from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import type { Call, WriteCall } from '../../engine/call.ts'
import { dateAfter } from '../kinds/heads.ts'
import { serializeHead } from './serialize.ts'
import { setItemState, requireState } from './save.ts'
import { targetsOf, type Target } from '../types/derived.ts'
import { typeOf } from '../types/find.ts'
import { localeView } from '../../engine/locales.ts'
import { definitionOf } from '../locales/fields.ts'
import { requireInLocales } from './locale-rights.ts'
import { namedLocales, publishedState, unpublishedState } from './publications.ts'
import { checkValues, missingValues } from '../types/values.ts'
import { assetIn, fileProblem } from './asset.ts'
import { contentOf, type ItemContent } from './content.ts'
import type { Entity, Branch } from '../../ports/index.ts'
import type { ItemTarget } from './find.ts'
import { scheduleItem } from './schedule.ts'

type Group = Contract['items']

/**
 * Publishes the head, now or at a given time; then the head of that time is published.
 * Errors: `forbidden` outside the locales in which the caller may publish; `not_publishable` with the
 * issues; `invalid_state` if the item is archived.
 */
export async function publishItem(
  call: WriteCall,
  { at, locales }: ParsedOf<Group['publish']>,
  target: ItemTarget,
): Promise<Serialized<Item>> {
  const { item, scope } = target
  const type = await typeOf(call, item)
  requireInLocales(call, 'items.publish', { scope, type, locales })
  const codes = namedLocales({ type, locales })
  if (isScheduled(call, at)) return scheduleItem(call, target, { kind: 'item.publish', at, locales })
  requireState(!item.archived, 'The item is archived: unarchive it first.')
  const issues = await publishIssues(call, item, codes)
  if (issues.length > 0) throw new QuireError('not_publishable', undefined, { issues })
  const state = publishedState(type, {
    head: item,
    main: await headOnMain(call, target),
    named: locales,
    date: dateAfter(call, item),
  })
  return setState(call, target, { event: 'ITEM_PUBLISHED', state, ...(codes && { locales: codes }) })
}

/**
 * Unpublishes an item, now or at a given time. Errors: `invalid_state` if no version is published;
 * `forbidden` outside the locales in which the caller may publish.
 */
export async function unpublishItem(
  call: WriteCall,
  { at, locales }: ParsedOf<Group['unpublish']>,
  target: ItemTarget,
): Promise<Serialized<Item>> {
  const { item: head, scope } = target
  const type = await typeOf(call, head)
  requireInLocales(call, 'items.publish', { scope, type, locales })
  const codes = namedLocales({ type, locales })
  if (isScheduled(call, at)) return scheduleItem(call, target, { kind: 'item.unpublish', at, locales })
  requireState(head.publishedVersion !== null, 'No version of the item is published.')
  const main = await headOnMain(call, target)
  const state = unpublishedState(type, { head, main, named: locales })
  return setState(call, target, { event: 'ITEM_UNPUBLISHED', state, ...(codes && { locales: codes }) })
}

/** Main's head of an item in a package: null if there is none; undefined for an item on main. */
export async function headOnMain(
  call: Call,
  { scope, item }: ItemTarget,
): Promise<Entity | null | undefined> {
  if (!scope.package) return undefined
  return call.store.entities.get({ ...scope.branch, packageId: null }, 'item', item.id)
}

/**
 * Hides an item from lists and published reads. Its published version is retained and is visible
 * again when the item is unarchived. Errors: `invalid_state` if it is already archived.
 */
export async function archiveItem(
  call: WriteCall,
  _input: ParsedOf<Group['archive']>,
  target: ItemTarget,
): Promise<Serialized<Item>> {
  requireState(!target.item.archived, 'The item is already archived.')
  return setState(call, target, { event: 'ITEM_ARCHIVED', state: { archived: true } })
}

/** Makes an archived item visible again. Errors: `invalid_state` if it is not archived. */
export async function unarchiveItem(
  call: WriteCall,
  _input: ParsedOf<Group['unarchive']>,
  target: ItemTarget,
): Promise<Serialized<Item>> {
  requireState(target.item.archived, 'The item is not archived.')
  return setState(call, target, { event: 'ITEM_UNARCHIVED', state: { archived: false } })
}

interface StateChange {
  readonly event: JournalEvent
  readonly state: Partial<Entity>
  /** The locales in which the state changes, for the journal. */
  readonly locales?: readonly string[]
}

async function setState(
  call: WriteCall,
  { scope, item }: ItemTarget,
  { locales, ...change }: StateChange,
): Promise<Serialized<Item>> {
  const details = locales && { details: { locales: [...locales] } }
  const changed = await setItemState(call, { scope, previous: item, ...change, ...details })
  return serializeHead(call, scope.branch, changed)
}

/**
 * Finds everything that prevents publishing in some locales (default: those in which it is public, or all):
 * missing required values, values that no longer fit the
 * type, and references whose target is gone or of the wrong kind.
 */
export async function publishIssues(
  call: Call,
  head: Entity,
  codes: readonly string[] | null = null,
): Promise<Issue[]> {
  const type = await typeOf(call, head)
  const content = contentOf(head)
  const contentFound = await contentIssues(type, content, codes ?? localesOfHead(head))
  if (!type.settings.publishable) return contentFound
  const targets = targetsOf(type.fields, content.fields)
  return [...contentFound, ...(await targetIssues(call, head, targets))]
}

/** The locales in which a head itself is public; null: all, or there are none. */
function localesOfHead({ publications, version }: Entity): readonly string[] | null {
  if (!publications) return null
  return Object.keys(publications).filter((code) => publications[code]?.version === version)
}

/** The locales in which something of a head is public; null: all, or there are none. */
export function publicLocales({ publications }: Entity): readonly string[] | null {
  return publications ? Object.keys(publications) : null
}

/** What in a content, whatever it refers to, would prevent publishing it in some locales (default: all). */
export async function contentIssues(
  type: ContentType,
  { asset, fields }: ItemContent,
  codes: readonly string[] | null = null,
): Promise<Issue[]> {
  if (!type.settings.publishable)
    return [{ path: 'type', message: `items of the type "${type.name}" cannot be published` }]
  const { issues } = await checkValues(type.fields, fields)
  const { locales } = definitionOf(type) ?? {}
  return [
    ...(type.settings.isAsset && !asset ? [{ path: 'asset', message: 'has no file yet' }] : []),
    ...issues,
    ...missingValues(
      type.fields,
      fields,
      locales && {
        fallbacksOf: (code) => localeView(locales, { code }).chain,
        isNeeded: (code) => codes?.includes(code) ?? true,
      },
    ),
  ]
}

async function targetIssues(call: Call, head: Entity, targets: readonly Target[]): Promise<Issue[]> {
  const branch: Branch = { repositoryId: head.repositoryId, packageId: head.packageId }
  const issues = targets.map(async (target): Promise<Issue[]> => {
    const found = await call.store.entities.get(branch, target.kind, target.id)
    const message = targetProblem(target, found)
    return message === null ? [] : [{ path: target.path, message }]
  })
  return (await Promise.all(issues)).flat()
}

/** Why published content cannot refer to an entity; null if it can. */
export function targetProblem(
  { id, types, taxonomyId, file }: Target,
  found: Pick<Entity, 'type' | 'deletedDate' | 'body'> | null,
): string | null {
  if (!found || found.deletedDate !== null) return `refers to "${id}", which does not exist`
  if (types.length > 0 && !types.includes(found.type))
    return `refers to "${id}", which is not of the type ${types.join(' or ')}`
  if (taxonomyId !== null && found.body['taxonomyId'] !== taxonomyId)
    return `refers to "${id}", which belongs to another taxonomy`
  const unfit = file && fileProblem(assetIn(found.body), file)
  return unfit ? `refers to "${id}", which ${unfit}` : null
}

/**
 * Whether the change is to be scheduled (or its schedule cancelled) instead of made now. A time in
 * the past means now.
 */
function isScheduled(call: Call, at: number | null | undefined): at is number | null {
  return at === null || (at !== undefined && at > call.now)
}

type Validate = Contract['items']['validate']

/** Reports what would prevent publishing an item now. Errors: `invalid` for an unknown locale. */
export async function validateItem(
  call: Call,
  { locales }: ParsedOf<Validate>,
  { item }: ItemTarget,
): Promise<OutputOf<Validate>> {
  const codes = namedLocales({ type: await typeOf(call, item), locales })
  const issues = await publishIssues(call, item, codes)
  return { valid: issues.length === 0, issues }
}
