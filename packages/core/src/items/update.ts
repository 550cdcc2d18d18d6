import { QuireError, type ContentType, type Contract, type Item, type ParsedOf } from '@quire/contract'
import { holdsOneOf } from '../access/permissions.ts'
import type { Presented } from '../call/answer.ts'
import { within, type Call } from '../call/call.ts'
import { findPlace, type Place } from '../lines/lines.ts'
import { mergeObjects } from '../merge/merge.ts'
import { isJsonObject, type Entity, type Json, type JsonObject, type StoreReader } from '../ports/index.ts'
import { typeOf } from '../types/find.ts'
import { withFocalPoint } from './asset.ts'
import { asContent, asJson, contentOf, type ItemContent } from './content.ts'
import { findItem, requireOnItem } from './find.ts'
import { presentHead } from './show.ts'
import { saveItem } from './save.ts'
import { strategiesOf } from './strategies.ts'

type Input = ParsedOf<Contract['items']['update']>

/**
 * Changes what is sent (RFC 7396) and makes a new version.
 * Errors: `not_found`, `forbidden`, `invalid`, `slug_taken`, `value_taken`; `precondition_failed` for a stale If-Match;
 * `version_conflict` with each member that both changed differently since `baseVersion`.
 */
export async function updateItem(call: Call, input: Input): Promise<Presented<Item>> {
  return updateWith(call, input, (content) => content)
}

/** The same, with what else the change makes of the content: a file that came along. */
export async function updateWith(
  call: Call,
  input: Input,
  amend: (content: ItemContent, type: ContentType, previous: Entity) => ItemContent,
): Promise<Presented<Item>> {
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    const place = await findPlace(inside, input)
    const previous = await findItem(inside, place, input.id)
    requireOnItem(call, previous, { key: 'items.update', roles: 'write' })
    requireOwnLists(call, previous, input)
    const type = await typeOf(inside, previous)
    const content = amend(await changedContent(tx, { input, place, previous, type }), type, previous)
    const saved = await saveItem(call, tx, { place, type, previous, content, event: 'ITEM_UPDATED' })
    return presentHead(inside, place.line, saved)
  })
}

/** Only who is let through by a role list may change it. Errors: `forbidden`. */
function requireOwnLists(call: Call, { roles }: Entity, { readPerm, writePerm, deletePerm }: Input): void {
  const changed = [readPerm && roles.read, writePerm && roles.write, deletePerm && roles.delete]
  if (changed.every((list) => !list || holdsOneOf(call.identity.permissions, list))) return
  throw new QuireError('forbidden', 'Only holders of its roles may change who may do what with this item.')
}

interface Change {
  readonly input: Input
  readonly place: Place
  readonly previous: Entity
  readonly type: ContentType
}

async function changedContent(
  store: StoreReader,
  { input, place, previous, type }: Change,
): Promise<ItemContent> {
  const theirs = contentOf(previous)
  const { baseVersion } = input
  if (baseVersion === undefined || baseVersion === previous.version) return patched(theirs, input)
  const version = await store.entities.version(place.line, { kind: 'item', id: previous.id }, baseVersion)
  if (!version) throw new QuireError('not_found', `There is no version ${baseVersion} of this item.`)
  const base = contentOf(version)
  const sides = { base: asJson(base), ours: asJson(patched(base, input)), theirs: asJson(theirs) }
  const { merged, conflicts } = mergeObjects(sides, strategiesOf(type))
  if (conflicts.length > 0) {
    const message = `Others changed ${conflicts.map(({ path }) => path).join(', ')} since version ${baseVersion}.`
    throw new QuireError('version_conflict', message, { conflicts: [...conflicts] })
  }
  return asContent(merged, theirs)
}

/** A content with a JSON Merge Patch applied (RFC 7396). */
export function patched(content: ItemContent, input: Partial<Omit<Input, 'id' | 'configId'>>): ItemContent {
  const { name, slug, description, folderId, categories, readPerm, writePerm, deletePerm } = input
  const { focalPoint, fields } = input
  return {
    name: name ?? content.name,
    slug: slug ?? content.slug,
    description: description ?? content.description,
    folderId: folderId === undefined ? content.folderId : folderId,
    categories: categories ? [...new Set(categories)] : content.categories,
    readPerm: readPerm ?? content.readPerm,
    writePerm: writePerm ?? content.writePerm,
    deletePerm: deletePerm ?? content.deletePerm,
    asset: focalPoint === undefined ? content.asset : withFocalPoint(content.asset, focalPoint),
    // Parsed input is JSON.
    fields: fields ? mergePatch(content.fields, fields) : content.fields,
  }
}

/** RFC 7396: objects merge member by member, null removes, everything else replaces. */
function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const members = new Map<string, Json>(Object.entries(target))
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name)
    else members.set(name, isJsonObject(value) ? mergePatch(objectOr(members.get(name)), value) : value)
  }
  return Object.fromEntries(members)
}

function objectOr(value: Json | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {}
}
