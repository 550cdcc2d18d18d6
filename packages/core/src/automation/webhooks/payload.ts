import { limits } from '@quire/contract'
import { serializeOutgoing, UnsendableDelivery, type OutgoingWebhook } from './outgoing.ts'
import { fillTemplate, readTemplate, type Spend, lookUp } from './template.ts'
import type { Call } from '../../engine/call.ts'
import { JobFailed } from '../../engine/job.ts'
import { folderRules } from '../../content/folders/kind.ts'
import { writtenStateOf, textAsWritten, type WrittenState } from '../../content/items/versions.ts'
import { serializeHead } from '../../content/items/serialize.ts'
import { siteRules } from '../../delivery/sites/kinds.ts'
import type { StructureKind } from '../../content/structure/kind.ts'
import { serializeOne } from '../../content/structure/json.ts'
import { type Json, type JsonObject, type Entity, type JournalEntry } from '../../ports/index.ts'

/**
 * The body of a delivery by its webhook's payload size (specification 6.4); null for no body.
 * `data` is the item, folder or site of the event. Instead of a body over the size limit, the
 * `basic` body is sent with a `tooLarge` member that says where to read the item, so that no event
 * is lost because of its content. A custom template that is missing or not JSON results in the full
 * payload without mapping: 6.3.6 limits mappings to the `full` and `basic` modes. Cost: stops as
 * soon as the size limit is exceeded, however often a template repeats a value.
 */
export function bodyOf(event: string, data: JsonObject, webhook: OutgoingWebhook): string | null {
  const { payloadSize } = webhook
  if (payloadSize === 'none') return null
  try {
    return serializeBody(createPayload(event, data, webhook))
  } catch (error) {
    if (!(error instanceof UnsendableDelivery)) throw error
    const tooLarge = { limit: limits.webhookBody, path: pathOf(data) }
    return JSON.stringify({ ...basicPayload(event, data, webhook), tooLarge })
  }
}

function createPayload(event: string, data: JsonObject, webhook: OutgoingWebhook): Json {
  const { payloadSize } = webhook
  if (payloadSize === 'custom') return customPayload(event, data, webhook)
  const payloadOf = payloadSize === 'full' ? fullPayload : basicPayload
  return { ...payloadOf(event, data, webhook), ...mapped(webhook, data) }
}

/** The path at which this version of an item can be read; null if the data is not an item. */
function pathOf({ id, repositoryId, packageName, latestVersion }: JsonObject): string | null {
  if (typeof id !== 'string' || typeof repositoryId !== 'string' || typeof latestVersion !== 'number')
    return null
  const branch = typeof packageName === 'string' ? `/_package/${encodeURIComponent(packageName)}` : ''
  return `/api/items/${repositoryId}${branch}/${id}?version=${latestVersion}`
}

function fullPayload(event: string, data: JsonObject, webhook: OutgoingWebhook): JsonObject {
  return { event, data, webhook: serializeOutgoing(webhook) }
}

/**
 * All four members are always present, so that receivers parse one shape. A folder has null for
 * slug and type.
 */
function basicPayload(event: string, data: JsonObject, { name }: OutgoingWebhook): JsonObject {
  const essentials = ['id', 'name', 'slug', 'type'].map((member) => [member, lookUp(data, member) ?? null])
  return { event, data: Object.fromEntries(essentials), webhook: { name } }
}

/** Fills the template with the full payload as its context. */
function customPayload(event: string, data: JsonObject, webhook: OutgoingWebhook): Json {
  const full = fullPayload(event, data, webhook)
  const template = readTemplate(webhook.template)
  return template === undefined ? full : fillTemplate(template, full, createBudget())
}

const ownMembers: ReadonlySet<string> = new Set(['event', 'data', 'webhook'])

/**
 * Why a mapping cannot add this member to a body; null if it can. It can only add members
 * (specification 6.3.6).
 */
export function mappingProblem(member: string): string | null {
  return ownMembers.has(member) ? 'is a member of every body' : null
}

/**
 * The members that a mapping adds. A path that leads nowhere gives null, so that all bodies have
 * the same members.
 */
function mapped({ mapping }: OutgoingWebhook, data: JsonObject): JsonObject {
  const spend = createBudget()
  const extra = Object.entries(mapping).filter(([member]) => mappingProblem(member) === null)
  const members = extra.map(([member, path]) => {
    const value = lookUp(data, path) ?? null
    spend(JSON.stringify(value).length)
    return [member, value] as const
  })
  return Object.fromEntries(members)
}

/**
 * Counts the characters added to a body, because a hundred paths may lead to the same long text.
 */
function createBudget(): Spend {
  let left: number = limits.webhookBody
  return (characters) => {
    left -= characters
    if (left < 0) throw tooLarge()
  }
}

function serializeBody(payload: Json): string {
  const text = JSON.stringify(payload)
  // Each character takes at least one byte.
  if (text.length > limits.webhookBody || bytesOf(text) > limits.webhookBody) throw tooLarge()
  return text
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}

function tooLarge(): UnsendableDelivery {
  return new UnsendableDelivery('too large', `the body has more than ${limits.webhookBody} bytes`)
}

/**
 * The data that is stored with a delivery until it is sent, and for as long as it can be
 * redelivered. For an item, what is needed to serialize that version again, so that its content is
 * not stored twice; otherwise the serialized text.
 */
export type StoredData = { readonly item: WrittenState } | { readonly text: string }

/**
 * The data to store with a delivery. `written` is the last head that the transaction wrote; it
 * saves reading it again.
 */
export async function storedData(
  call: Call,
  entry: JournalEntry,
  written: Entity | null,
): Promise<StoredData> {
  const { repositoryId, packageId, entityId: id, entityType: type } = entry
  if (entry.event === 'CACHE_TAGS_PURGED')
    return { text: JSON.stringify({ id, type, repositoryId, tags: entry.details['tags'] ?? [] }) }
  const branch = { repositoryId, packageId }
  const rules = structureOf(entry)
  const isHere =
    written?.id === id && written.repositoryId === repositoryId && written.packageId === packageId
  const head = isHere ? written : await call.store.entities.get(branch, rules?.kind ?? 'item', id)
  // The entity was removed: only its journal entry is left.
  if (!head) return { text: JSON.stringify({ id, type, repositoryId }) }
  if (rules) return { text: (await serializeOne(call, branch, { rules, head })).text }
  const item = await writtenStateOf(call, branch, head)
  return item ? { item } : { text: (await serializeHead(call, branch, head)).text }
}

/** The rules of a folder or site event; null for an event of an item. */
function structureOf({ event }: JournalEntry): StructureKind | null {
  if (event.startsWith('FOLDER_')) return folderRules
  return event.startsWith('SITE_') ? siteRules : null
}

/**
 * The stored data as text. Errors: JobFailed if the stored version of the item no longer exists.
 */
export async function textOf(
  call: Call,
  about: { readonly repositoryId: string; readonly id: string },
  stored: StoredData,
): Promise<string> {
  if ('text' in stored) return stored.text
  const text = await textAsWritten(call, about, stored.item)
  if (text !== null) return text
  const gone = `Version ${stored.item.latestVersion} of the item is no longer stored`
  throw new JobFailed(`${gone}: it was purged, or its content type now retains fewer versions.`)
}
