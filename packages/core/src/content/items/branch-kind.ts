import {
  ItemContent as ItemContentSchema,
  parseAs,
  type Field,
  type ContentType,
  type Item,
} from '@quire/contract'
import type { Call, WriteCall } from '../../engine/call.ts'
import { rulesOf } from '../fields/index.ts'
import type { ContentTarget, BranchKind, ValueInUse, AppliedChange } from '../kinds/branch-kind.ts'
import { targetsOf } from '../types/derived.ts'
import { typeOf } from '../types/find.ts'
import { checkValues } from '../types/values.ts'
import { uniqueValues, valuesInUse, requireSoundContent } from './check.ts'
import {
  asContent,
  asJson,
  contentOf,
  emptyContent,
  type ItemContent,
  snapshotOf,
  strategiesOf,
} from './content.ts'
import { publishIssues } from './publish.ts'
import { dateAfter, publishedNumber, startOf } from '../kinds/heads.ts'
import { isOfMain, versionOfMain } from '../kinds/versions.ts'
import { isSame } from '../../engine/same.ts'
import { renderCard } from './document.ts'
import { assetIn, blobsOf } from './asset.ts'
import { contextOf, withVersion } from './item-json.ts'
import { sameState, writeHead } from './save.ts'
import type { QueryValue, Entity, JsonObject, Snapshot, Transaction } from '../../ports/index.ts'

/** Items in packages. */
export const itemKind: BranchKind = {
  kind: 'item',
  events: {
    created: 'ITEM_CREATED',
    updated: 'ITEM_UPDATED',
    deleted: 'ITEM_DELETED',
    restored: 'ITEM_UNDELETED',
  },
  keys: { read: 'items.read', update: 'items.update', delete: 'items.delete' },
  states: {
    events: {
      archived: 'ITEM_ARCHIVED',
      unarchived: 'ITEM_UNARCHIVED',
      published: 'ITEM_PUBLISHED',
      unpublished: 'ITEM_UNPUBLISHED',
    },
    publishKey: 'items.publish',
    isPublishable: async (call, type) => (await typeOf(call, { type })).settings.publishable,
    publishIssues,
  },
  target: ({ repositoryId, type }) => ({ repositoryId, type }),
  tree: null,
  calledBy: null,
  content: (version) => asJson(contentOf(version)),
  readers: (content) => asContent(content, emptyContent).readPerm,
  strategies: async (call, type) => strategiesOf(await typeOf(call, { type })),
  targets: async (call, type, content) => itemTargets(call, type, asContent(content, emptyContent)),
  async issues(call, type, content) {
    const { fields } = await typeOf(call, { type })
    const { issues } = await checkValues(fields, asContent(content, emptyContent).fields)
    return issues
  },
  async claims(call, type, content) {
    const { name, fields } = await typeOf(call, { type })
    const { slug, fields: values } = asContent(content, emptyContent)
    const unique = uniqueValues(fields, values).map(({ field, value }) =>
      uniqueClaim(name, field.name, value),
    )
    return [`slug ${slug}`, ...unique]
  },
  // Whoever could give one would read any file whose hash is known.
  bySideOnly: ['asset'],
  misshapes(content) {
    const parsed = parseAs(ItemContentSchema, content)
    return 'issues' in parsed ? parsed.issues : []
  },
  async inUse(call, { scope, id, type, content }): Promise<ValueInUse[]> {
    const values = asContent(content, emptyContent).fields
    const definition = await typeOf(call, { type })
    const inUse = await valuesInUse(call.store.entities, {
      branch: scope.branch,
      type: definition,
      values,
      id,
    })
    return inUse.map(({ field, value, holderId }) => ({
      path: `fields.${field}`,
      holderId,
      claim: uniqueClaim(definition.name, field, value),
    }))
  },
  apply: applyItem,
  // Nothing is kept of what items are called.
  uncover: async () => undefined,
}

function uniqueClaim(type: string, field: string, value: QueryValue): string {
  return `${type} ${field} ${value}`
}

async function itemTargets(
  call: Call,
  type: string,
  { folderId, categories, fields }: ItemContent,
): Promise<ContentTarget[]> {
  const definition = (await typeOf(call, { type })).fields
  const values = targetsOf(definition, fields)
  return [
    ...values.map(({ path, kind, id }) => ({ path: wholePath(definition, path), kind, id, required: false })),
    ...categories.map((id) => ({ path: 'categories', kind: 'category' as const, id, required: true })),
    ...(folderId === null
      ? []
      : [{ path: 'folderId', kind: 'folder' as const, id: folderId, required: true }]),
  ]
}

/** The path of the value that merges as one: of a reference within a list or a block, that of the list or block. */
function wholePath(fields: readonly Field[], path: string): string {
  const [root, ...names] = path.split('.')
  const stored = [root]
  let level: readonly Field[] = fields
  for (const name of names) {
    stored.push(name)
    const field = level.find((candidate) => candidate.name === name)
    level = field && !field.list ? rulesOf(field).members(field.settings) : []
    if (level.length === 0) break
  }
  return stored.join('.')
}

/**
 * Writes what comes from another branch as one head: a new version when it says something else, with its marks and a journal entry
 * for each event. Errors: as a save; `slug_taken`.
 */
async function applyItem(call: WriteCall, change: AppliedChange): Promise<Entity> {
  const { scope, previous, origin, content, state, events, details } = change
  const type = await typeOf(call, origin)
  const start = startOf(scope, { previous, origin })
  const isDeleted = typeof state(start.version).deletedDate === 'number'
  const sound = content && (await soundContent(call.store, { change, type, content, isDeleted }))
  const isNew = start.version === 0 || (content !== null && !isSame(content, asJson(contentOf(start))))
  const given = isNew && sound && (await givenIn(call, { type, start, content: sound }))
  const version = start.version + Number(isNew)
  const changed: Entity = {
    ...start,
    ...given,
    ...(content === null && sameState(start)),
    version,
    revision: start.revision + 1,
    ...state(version),
  }
  const inUse = await takePublished(call, { start, changed })
  const head = inUse ? afterApplied(inUse, { changed, state }) : changed
  const versionHistory = historyWith([inUse, isNew || inUse ? head : null], previous)
  const context = { packageName: scope.package?.name ?? null, versionHistory }
  return writeHead(call, { type, head, context, before: visibleBefore(change), events, details })
}

/** What a package takes in is what it showed of main until now. */
function visibleBefore({ previous, origin }: AppliedChange): Entity | null {
  return previous ?? (origin.packageId === null ? origin : null)
}

interface Applied {
  readonly change: AppliedChange
  readonly type: ContentType
  readonly content: JsonObject
  readonly isDeleted: boolean
}

/** What lands deleted may name what is gone: nothing shows it, and who undeletes it gets it without. Errors: as a save. */
async function soundContent(
  store: Transaction,
  { change: { scope, previous, origin }, type, content: applied, isDeleted }: Applied,
): Promise<ItemContent> {
  const content = asContent(applied, emptyContent)
  if (isDeleted) return content
  return requireSoundContent(store, {
    branch: scope.branch,
    type,
    content,
    id: origin.id,
    previous: previous ?? origin,
    origin,
  })
}

async function givenIn(
  call: Call,
  { type, start, content }: { type: ContentType; start: Entity; content: ItemContent },
): Promise<Partial<Entity>> {
  const snapshot = snapshotOf(content, { type: type.name, cardPreview: await renderCard(type, content) })
  return { ...snapshot, updatedDate: dateAfter(call, start), updatedBy: call.identity.ref }
}

/**
 * A sync may find published on main what no number of the package stands for: a version from after it took the item in. The package gets it as one of
 * its own, below a deleted head that the next write takes the place of, since it may say an address that another has here. Null: not so.
 */
async function takePublished(
  call: WriteCall,
  { start, changed }: { start: Entity; changed: Entity },
): Promise<Entity | null> {
  const version = publishedNumber(changed)
  if (version === null || version === changed.publishedVersion || start.revision === 0) return null
  if (await isOfMain(call.store.entities, start, version)) return null
  const published = await versionOfMain(call.store.entities, start, version)
  if (!published) return null
  const { type, name, slug, parentId, roles, body, savedDate: updatedDate, savedBy: updatedBy } = published
  const given: Snapshot = { type, name, slug, parentId, roles, body }
  const numbers = { version: start.version + 1, revision: start.revision + 1 }
  const inUse: Entity = { ...start, ...given, ...numbers, updatedDate, updatedBy, deletedDate: call.now }
  const derived = { values: [], edges: [], search: null, blobs: blobsOf(assetIn(body)) }
  await call.store.entities.put({ ...inUse, ...derived, writtenDate: call.now }, start.revision)
  return inUse
}

/** The head that was to be written, after what main has published. */
function afterApplied(
  inUse: Entity,
  { changed, state }: { changed: Entity; state: AppliedChange['state'] },
): Entity {
  const version = inUse.version + 1
  const { version: publishedVersion } = inUse
  return { ...changed, ...state(version), version, revision: inUse.revision + 1, publishedVersion }
}

function historyWith(made: readonly (Entity | null)[], previous: Entity | null): Item['versionHistory'] {
  const before = previous ? contextOf(previous).versionHistory : []
  return made
    .filter((head) => head !== null)
    .reduce(
      (history, { version, updatedDate, updatedBy }) =>
        withVersion(history, { version, date: updatedDate, user: updatedBy }),
      before,
    )
}
