import {
  ItemContent as ItemContentSchema,
  parseAs,
  type Field,
  type ContentType,
  type Item,
} from '@quire/contract'
import type { Call, WriteCall } from '../../engine/call.ts'
import { rulesOf } from '../fields/index.ts'
import type { ContentTarget, BranchKind, TypeUse, ValueInUse, AppliedChange } from '../kinds/branch-kind.ts'
import { targetsOf, uniqueValues } from '../types/derived.ts'
import { stampsFor } from '../translations/stamps.ts'
import { typeOf } from '../types/find.ts'
import { checkValues } from '../types/values.ts'
import { valuesInUse, requireValidContent } from './check.ts'
import {
  asContent,
  asJson,
  contentOf,
  emptyContent,
  type ItemContent,
  snapshotOf,
  strategiesOf,
  comparedJson,
  withoutStamps,
} from './content.ts'
import { publishIssues } from './publish.ts'
import { startOf } from '../kinds/heads.ts'
import { isMainVersion, mainVersion } from '../kinds/versions.ts'
import { appliedHead } from '../kinds/write.ts'
import { renderCard } from './document.ts'
import { assetIn, blobsOf } from './asset.ts'
import { contextOf, withVersion } from './item-json.ts'
import { writeItemHead } from './save.ts'
import type { QueryValue, Entity, JsonObject, Snapshot } from '../../ports/index.ts'

/** How packages handle items. */
export const itemKind: BranchKind = {
  kind: 'item',
  events: {
    created: 'ITEM_CREATED',
    updated: 'ITEM_UPDATED',
    deleted: 'ITEM_DELETED',
    restored: 'ITEM_UNDELETED',
  },
  keys: { read: 'items.read', create: 'items.create', update: 'items.update', delete: 'items.delete' },
  states: {
    events: {
      archived: 'ITEM_ARCHIVED',
      unarchived: 'ITEM_UNARCHIVED',
      published: 'ITEM_PUBLISHED',
      unpublished: 'ITEM_UNPUBLISHED',
    },
    publishKey: 'items.publish',
    isPublishable: async (call, of) => (await typeOf(call, of)).settings.publishable,
    publishIssues,
  },
  target: ({ repositoryId, type }) => ({ repositoryId, type }),
  tree: null,
  namedBy: null,
  content: (version) => asJson(contentOf(version)),
  readers: (content) => asContent(content, emptyContent).readPerm,
  strategies: async (call, of) => strategiesOf(await typeOf(call, of)),
  targets: async (call, of, content) => itemTargets(call, of, asContent(content, emptyContent)),
  async issues(call, of, content) {
    const { fields } = await typeOf(call, of)
    const { issues } = await checkValues(fields, asContent(content, emptyContent).fields)
    return issues
  },
  async claims(call, of, content) {
    const { name, fields } = await typeOf(call, of)
    const { slug, fields: values } = asContent(content, emptyContent)
    const unique = uniqueValues(fields, values).map(({ path, value }) => uniqueClaim(name, path, value))
    return [`slug ${slug}`, ...unique]
  },
  // Accepting one by value would let the caller read any file whose hash they know.
  bySideOnly: ['asset'],
  shapeIssues(content) {
    const parsed = parseAs(ItemContentSchema, content)
    return 'issues' in parsed ? parsed.issues : []
  },
  async inUse(call, { scope, id, type, content }): Promise<ValueInUse[]> {
    const values = asContent(content, emptyContent).fields
    const definition = await typeOf(call, { type, repositoryId: scope.repository.id })
    const inUse = await valuesInUse(call.store.entities, {
      branch: scope.branch,
      type: definition,
      values,
      id,
    })
    return inUse.map(({ path, value, holderId }) => ({
      path: `fields.${path}`,
      holderId,
      claim: uniqueClaim(definition.name, path, value),
    }))
  },
  apply: applyItem,
  // No derived data depends on the names of items.
  forgetName: async () => undefined,
}

function uniqueClaim(type: string, field: string, value: QueryValue): string {
  return `${type} ${field} ${value}`
}

async function itemTargets(
  call: Call,
  of: TypeUse,
  { folderId, categories, fields }: ItemContent,
): Promise<ContentTarget[]> {
  const definition = (await typeOf(call, of)).fields
  const values = targetsOf(definition, fields)
  return [
    ...values.map(({ path, kind, id }) => ({ path: wholePath(definition, path), kind, id, required: false })),
    ...categories.map((id) => ({ path: 'categories', kind: 'category' as const, id, required: true })),
    ...(folderId === null
      ? []
      : [{ path: 'folderId', kind: 'folder' as const, id: folderId, required: true }]),
  ]
}

/**
 * The path of the value that merges as a whole. For a reference in a list or a block it is the path
 * of that list or block.
 */
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
 * Writes a change from another branch as the next head, with its state and a journal entry for each
 * event. Makes a new version only if the content differs. Errors: as for a save; `slug_taken`.
 */
async function applyItem(call: WriteCall, change: AppliedChange): Promise<Entity> {
  const { scope, previous, origin, content, state, isVersion = false, events, details } = change
  const type = await typeOf(call, origin)
  const start = startOf(scope, { previous, origin })
  const isDeleted = typeof state(start.version).deletedDate === 'number'
  const valid = content && (await checkContent(call, { change, type, content, isDeleted }))
  const applied = content &&
    valid && {
      before: comparedJson(start),
      after: withoutStamps(content),
      snapshot: async () => snapshotOf(valid, { type, cardPreview: await renderCard(type, valid) }),
    }
  const changed = await appliedHead(call, { start, state, isVersion }, applied)
  const adopted = await adoptPublished(call, { start, changed })
  const head = adopted ? headAfter(adopted, { changed, state }) : changed
  const isNew = head.version > start.version
  const versionHistory = historyWith([adopted, isNew ? head : null], previous)
  const before = visibleBefore(change)
  // An earlier version counts like any other, although its head is deleted for the moment.
  const counted = isVersion && { givesBack: false }
  return writeItemHead(call, scope, { type, head, versionHistory, before, events, details, ...counted })
}

/** The visible head before the change. A package without its own head shows main's. */
function visibleBefore({ scope, previous, origin }: AppliedChange): Entity | null {
  const isOfMain = origin.packageId === null && scope.branch.packageId !== null
  return previous ?? (isOfMain ? origin : null)
}

interface ContentToCheck {
  readonly change: AppliedChange
  readonly type: ContentType
  readonly content: JsonObject
  readonly isDeleted: boolean
}

/**
 * Checks a content before it is applied. A deleted item is not checked: nothing shows it, and
 * undeleting it removes references to what is gone. Errors: as for a save.
 */
async function checkContent(
  { store, now }: WriteCall,
  { change: { scope, previous, origin }, type, content: applied, isDeleted }: ContentToCheck,
): Promise<ItemContent> {
  const content = asContent(applied, emptyContent)
  if (isDeleted) return content
  const valid = await requireValidContent(store, {
    branch: scope.branch,
    type,
    content,
    id: origin.id,
    previous: previous ?? origin,
    origin,
  })
  const { fields, translations: stamps } = valid
  return { ...valid, translations: stampsFor(type, { fields, now, from: [previous, origin], stamps }) }
}

/**
 * Copies main's published version into the package, if the package has no number for it: main
 * published it after the package took the item over. The copy is written under a deleted head,
 * which the next write replaces, because another item in the package may use its slug.
 * Returns null if no copy is needed.
 */
async function adoptPublished(
  call: WriteCall,
  { start, changed }: { start: Entity; changed: Entity },
): Promise<Entity | null> {
  const { publishedVersion: version, inheritsPublished } = changed
  if (version === null || !inheritsPublished || start.revision === 0) return null
  if (await isMainVersion(call.store.entities, start, version)) return null
  const published = await mainVersion(call.store.entities, start, version)
  if (!published) return null
  const { type, name, slug, parentId, roles, body, savedDate: updatedDate, savedBy: updatedBy } = published
  const snapshot: Snapshot = { type, name, slug, parentId, roles, body }
  const numbers = { version: start.version + 1, revision: start.revision + 1 }
  const adopted: Entity = { ...start, ...snapshot, ...numbers, updatedDate, updatedBy, deletedDate: call.now }
  const derived = { values: [], edges: [], search: null, blobs: blobsOf(assetIn(body)) }
  await call.store.entities.put({ ...adopted, ...derived, writtenDate: call.now }, start.revision)
  return adopted
}

/** The changed head, renumbered to follow the adopted version. */
function headAfter(
  adopted: Entity,
  { changed, state }: { changed: Entity; state: AppliedChange['state'] },
): Entity {
  const version = adopted.version + 1
  const published = { publishedVersion: adopted.version, inheritsPublished: false }
  return { ...changed, ...state(version), version, revision: adopted.revision + 1, ...published }
}

function historyWith(heads: readonly (Entity | null)[], previous: Entity | null): Item['versionHistory'] {
  const before = previous ? contextOf(previous).versionHistory : []
  return heads
    .filter((head) => head !== null)
    .reduce(
      (history, { version, updatedDate, updatedBy }) =>
        withVersion(history, { version, date: updatedDate, user: updatedBy }),
      before,
    )
}
