import type { Contract, OutputOf, ParsedOf, Webhook, Issue } from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import { type Call, requirePermission } from '../../engine/call.ts'
import { findRepository } from '../../engine/scope.ts'
import { findWebhook, mayAccessWebhooks, webhookRecords, requireChangeableWebhook } from './find.ts'
import { invalid, issueAt } from '../../engine/check-input.ts'
import { redacted } from '../../engine/redacted.ts'
import { plainRecord, sentMembers } from '../../engine/record-rules.ts'
import {
  type WebhookRecord,
  issuesOfRedacted,
  sealHeaders,
  sealSecret,
  type StoredSecrets,
} from './record.ts'
import { headerProblem, secretProblem } from './outgoing.ts'
import { mappingProblem } from './payload.ts'
import { templateProblem } from './template.ts'

type Webhooks = Contract['webhooks']

/** The webhooks that the caller may see. Errors: `not_found` for the repository. */
async function listWebhooks(
  call: Call,
  { repositoryId, ...page }: ParsedOf<Webhooks['list']>,
): Promise<OutputOf<Webhooks['list']>> {
  const of = repositoryId === undefined ? null : (await findRepository(call, repositoryId)).id
  const all = await call.store.records.list('webhook')
  const visible = all.filter(
    (webhook) =>
      (of === null || webhook.repositoryId === of) &&
      mayAccessWebhooks(call, 'admin.webhooks.view', webhook.repositoryId),
  )
  return webhookRecords.page(visible, page)
}

/** Errors: `not_found`. */
async function getWebhook(call: Call, { id }: ParsedOf<Webhooks['get']>): Promise<Serialized<Webhook>> {
  return webhookRecords.serialize(await findWebhook(call, id))
}

/**
 * Registers a webhook. Errors: `not_found`, `forbidden`; `invalid` for a URL that the egress policy
 * blocks, for a header that the delivery sets itself, or for a secret that is sent as `***`.
 */
async function createWebhook(
  call: Call,
  { repositoryId: ref, headers, secret, ...given }: ParsedOf<Webhooks['create']>,
): Promise<Serialized<Webhook>> {
  const { environment, now } = call
  const { url, template, mapping } = given
  requireValid(call, { headers, secret, url, template, mapping }, nothingStored)
  const sealed = {
    headers: await sealHeaders(environment, headers, []),
    sealedSecret: await sealSecret(environment, secret, null),
  }
  return call.write(async (call) => {
    const { id: repositoryId } = await findRepository(call, ref)
    requirePermission(call, 'admin.webhooks.update', { repositoryId })
    const id = environment.ids.next('HOOK')
    const after = { id, repositoryId, ...given, ...sealed, createdDate: now, updatedDate: now }
    return webhookRecords.serialize(await webhookRecords.put(call, { before: null, after }))
  })
}

const nothingStored: StoredSecrets = { headers: [], sealedSecret: null }

/**
 * Changes the given members. Errors: `not_found`, `forbidden`, `precondition_failed`, `invalid`.
 */
async function updateWebhook(
  call: Call,
  { id, headers, secret, ...patch }: ParsedOf<Webhooks['update']>,
): Promise<Serialized<Webhook>> {
  const { environment } = call
  // Secrets are sealed before the transaction, because a transaction must not wait for anything but
  // the store.
  const before = await requireChangeableWebhook(call, id)
  requireOwnSecrets(before, { url: patch.url, headers, secret })
  const { url, template, mapping } = patch
  requireValid(call, { headers, secret, url, template, mapping }, before)
  const sealed = {
    ...(headers && { headers: await sealHeaders(environment, headers, before.headers) }),
    ...(secret !== undefined && {
      sealedSecret: await sealSecret(environment, secret, before.sealedSecret),
    }),
  }
  return call.write(async (call) => {
    const before = await requireChangeableWebhook(call, id)
    const after = { ...plainRecord(before), ...sentMembers(patch), ...sealed, updatedDate: call.now }
    return webhookRecords.serialize(await webhookRecords.put(call, { before, after }))
  })
}

/**
 * Deletes a webhook. Its queued deliveries are not sent. Errors: `not_found`, `forbidden`,
 * `precondition_failed`.
 */
async function deleteWebhook(call: Call, { id }: ParsedOf<Webhooks['delete']>): Promise<undefined> {
  return call.write(async (call) => webhookRecords.remove(call, await requireChangeableWebhook(call, id)))
}

/**
 * Rejects a URL of another origin unless all secrets are sent again. Otherwise, somebody who does
 * not know the secrets could have them sent to a server of their own. Errors: `invalid`.
 */
function requireOwnSecrets(
  before: WebhookRecord,
  { url, headers, secret }: Pick<GivenMembers, 'url' | 'headers' | 'secret'>,
): void {
  if (url === undefined || URL.parse(url)?.origin === URL.parse(before.url)?.origin) return
  const isStored = (value: string | null | undefined) => value === undefined || value === redacted
  const message = 'must be sent again, because the stored value belongs to another address'
  const retainsHeaders = headers ? headers.some(({ value }) => isStored(value)) : before.headers.length > 0
  const issues = [
    issueAt('headers', retainsHeaders ? message : null),
    issueAt('secret', before.sealedSecret !== null && isStored(secret) ? message : null),
  ].filter((issue) => issue !== null)
  if (issues.length > 0) throw invalid(issues)
}

interface GivenMembers {
  readonly url: string | undefined
  readonly secret: string | null | undefined
  readonly template: string | null | undefined
  readonly mapping: Readonly<Record<string, string>> | undefined
  readonly headers: ParsedOf<Webhooks['create']>['headers'] | undefined
}

/** Errors: `invalid`. */
function requireValid({ environment }: Call, given: GivenMembers, before: StoredSecrets): void {
  const { url, headers = [], secret, template, mapping = {} } = given
  const issues: (Issue | null)[] = [
    issueAt('url', url === undefined ? null : environment.outbound.problemOf(url)),
    issueAt('secret', !secret || secret === redacted ? null : secretProblem(secret)),
    issueAt('template', template ? templateProblem(template) : null),
    ...headers.map(({ name }, index) => issueAt(`headers.${index}.name`, headerProblem(name))),
    ...Object.keys(mapping).map((member) => issueAt(`mapping.${member}`, mappingProblem(member))),
    ...issuesOfRedacted(given, before),
  ]
  const found = issues.filter((issue) => issue !== null)
  if (found.length > 0) throw invalid(found)
}

export { listDeliveries as deliveries, redeliver, testWebhook as test } from './deliveries.ts'

export {
  getWebhook as get,
  listWebhooks as list,
  createWebhook as create,
  deleteWebhook as delete,
  updateWebhook as update,
}
