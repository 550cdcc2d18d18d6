import { limits } from '@quire/contract'
import { serializeOutgoing, UnsendableDelivery, type OutgoingWebhook } from './outgoing.ts'
import { filledTemplate, readTemplate, type Spend, lookUp } from './template.ts'
import type { Call } from '../../engine/call.ts'
import { JobFailed } from '../../engine/job.ts'
import { folderRules } from '../../content/folders/kind.ts'
import { asWritten, textAsWritten, type AsWritten } from '../../content/items/versions.ts'
import { serializeHead } from '../../content/items/serialize.ts'
import { siteRules } from '../../delivery/sites/kinds.ts'
import type { StructureKind } from '../../content/structure/kind.ts'
import { serializeOne } from '../../content/structure/json.ts'
import { type Json, type JsonObject, type Entity, type JournalEntry } from '../../ports/index.ts'

/**
 * The body of a delivery by its webhook's payload size (specification 6.4); null: none. `data` is what happened to whom, as the webhook is
 * sent it. A body that would be larger than bodies may be is that of `basic`, and says where the whole is (`tooLarge`): no event is lost for
 * what an item holds. A custom template that is missing or not JSON gives the full payload as the table has it: 6.3.6 keeps the mapping to the `full`
 * and `basic` modes. Cost: no more is put together than a body may have, whatever a template repeats.
 */
export function bodyOf(event: string, data: JsonObject, webhook: OutgoingWebhook): string | null {
  const { payloadSize } = webhook
  if (payloadSize === 'none') return null
  try {
    return bodyText(wholePayload(event, data, webhook))
  } catch (error) {
    if (!(error instanceof UnsendableDelivery)) throw error
    const tooLarge = { limit: limits.webhookBody, path: pathOf(data) }
    return JSON.stringify({ ...basicPayload(event, data, webhook), tooLarge })
  }
}

function wholePayload(event: string, data: JsonObject, webhook: OutgoingWebhook): Json {
  const { payloadSize } = webhook
  if (payloadSize === 'custom') return customPayload(event, data, webhook)
  const payloadOf = payloadSize === 'full' ? fullPayload : basicPayload
  return { ...payloadOf(event, data, webhook), ...mapped(webhook, data) }
}

/** Where an item is read as it was then; null for what is none. */
function pathOf({ id, repositoryId, packageName, latestVersion }: JsonObject): string | null {
  if (typeof id !== 'string' || typeof repositoryId !== 'string' || typeof latestVersion !== 'number')
    return null
  const branch = typeof packageName === 'string' ? `/_package/${encodeURIComponent(packageName)}` : ''
  return `/api/items/${repositoryId}${branch}/${id}?version=${latestVersion}`
}

function fullPayload(event: string, data: JsonObject, webhook: OutgoingWebhook): JsonObject {
  return { event, data, webhook: serializeOutgoing(webhook) }
}

/** The four members are always there, so that receivers read one shape: a folder has neither slug nor type, and null for both. */
function basicPayload(event: string, data: JsonObject, { name }: OutgoingWebhook): JsonObject {
  const essentials = ['id', 'name', 'slug', 'type'].map((member) => [member, lookUp(data, member) ?? null])
  return { event, data: Object.fromEntries(essentials), webhook: { name } }
}

/** The context of a template is the full payload. */
function customPayload(event: string, data: JsonObject, webhook: OutgoingWebhook): Json {
  const full = fullPayload(event, data, webhook)
  const template = readTemplate(webhook.template)
  return template === undefined ? full : filledTemplate(template, full, room())
}

const ownMembers: ReadonlySet<string> = new Set(['event', 'data', 'webhook'])

/** Why a mapping cannot give a body this member; null: it can. Its members are extra ones (specification 6.3.6). */
export function mappingProblem(member: string): string | null {
  return ownMembers.has(member) ? 'is a member of every body' : null
}

/** What a mapping adds to a body, null for what is not in the data: a member comes and goes with the mapping, not with the item. */
function mapped({ mapping }: OutgoingWebhook, data: JsonObject): JsonObject {
  const spend = room()
  const extra = Object.entries(mapping).filter(([member]) => mappingProblem(member) === null)
  const members = extra.map(([member, path]) => {
    const value = lookUp(data, path) ?? null
    spend(JSON.stringify(value).length)
    return [member, value] as const
  })
  return Object.fromEntries(members)
}

/** Counts what is put into a body: a hundred paths may lead to the same long text. */
function room(): Spend {
  let left: number = limits.webhookBody
  return (characters) => {
    left -= characters
    if (left < 0) throw tooLarge()
  }
}

function bodyText(payload: Json): string {
  const text = JSON.stringify(payload)
  // A character is a byte at least.
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
 * What a delivery keeps of what its event is about, until it is sent and for as long as it can be sent again: what it takes to say an item
 * again, so that nothing is written twice, or else the text itself.
 */
export type StoredData = { readonly item: AsWritten } | { readonly text: string }

/** What is to be kept of what an event is about. `written`: the head that its transaction wrote last. */
export async function storedData(
  call: Call,
  entry: JournalEntry,
  written: Entity | null,
): Promise<StoredData> {
  const { repositoryId, packageId, entityId: id, entityType: type } = entry
  const branch = { repositoryId, packageId }
  const rules = structureOf(entry)
  const isHere =
    written?.id === id && written.repositoryId === repositoryId && written.packageId === packageId
  const head = isHere ? written : await call.store.entities.get(branch, rules?.kind ?? 'item', id)
  // Of what is gone for good: what the journal knows of it.
  if (!head) return { text: JSON.stringify({ id, type, repositoryId }) }
  if (rules) return { text: (await serializeOne(call, branch, { rules, head })).text }
  const item = await asWritten(call, branch, head)
  return item ? { item } : { text: (await serializeHead(call, branch, head)).text }
}

/** Of which kind of the structure the event of a webhook tells; null: of an item. */
function structureOf({ event }: JournalEntry): StructureKind | null {
  if (event.startsWith('FOLDER_')) return folderRules
  return event.startsWith('SITE_') ? siteRules : null
}

/** The text of what was kept. Errors: JobFailed when the version of an item that it names is gone. */
export async function textOf(
  call: Call,
  about: { readonly repositoryId: string; readonly id: string },
  stored: StoredData,
): Promise<string> {
  if ('text' in stored) return stored.text
  const text = await textAsWritten(call, about, stored.item)
  if (text !== null) return text
  const gone = `Version ${stored.item.latestVersion} of the item is no longer kept`
  throw new JobFailed(`${gone}: it was purged, or its type keeps fewer versions now.`)
}
