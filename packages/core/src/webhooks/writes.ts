import type { Contract, Issue, ParsedOf, Webhook } from '@quire/contract'
import type { Presented } from '../call/answer.ts'
import { requirePermission, within, type Call } from '../call/call.ts'
import { invalid, issueAt } from '../call/check-input.ts'
import { hidden } from '../call/hidden.ts'
import { recordEvent } from '../call/journal.ts'
import { sentMembers } from '../call/records.ts'
import { findRepository } from '../lines/lines.ts'
import type { Stored, Transaction, WebhookRecord } from '../ports/index.ts'
import { changeableWebhook } from './find.ts'
import { headerProblem } from './headers.ts'
import { presentStored } from './reads.ts'
import { mappingProblem } from './payload.ts'
import { secretProblem } from './sign.ts'
import { issuesOfHidden, sealedHeaders, sealedSecret, type KeptSecrets } from './stored.ts'
import { templateProblem } from './template.ts'

type Webhooks = Contract['webhooks']

/**
 * Registers a webhook. Errors: `not_found`, `forbidden`; `invalid` for an address that may not be sent to, a header that is ours to set, or a
 * secret that is sent as `***`.
 */
export async function createWebhook(
  call: Call,
  { repositoryId: ref, headers, secret, ...said }: ParsedOf<Webhooks['create']>,
): Promise<Presented<Webhook>> {
  const { environment, now } = call
  const { url, template, mapping } = said
  requireSound(call, { headers, secret, url, template, mapping }, nothingKept)
  const sealed = {
    headers: await sealedHeaders(environment, headers, []),
    sealedSecret: await sealedSecret(environment, secret, null),
  }
  return call.transaction(async (tx) => {
    const { id: repositoryId } = await findRepository(within(call, tx), ref)
    requirePermission(call, 'admin.webhooks.update', { repositoryId })
    const id = environment.ids.next('WEBH')
    const webhook: WebhookRecord = {
      id,
      repositoryId,
      ...said,
      ...sealed,
      createdDate: now,
      updatedDate: now,
    }
    return record(call, tx, { webhook, revision: 0, event: 'WEBHOOK_CREATED' })
  })
}

const nothingKept: KeptSecrets = { headers: [], sealedSecret: null }

/** Changes what is sent. Errors: `not_found`, `forbidden`, `precondition_failed`, `invalid`. */
export async function updateWebhook(
  call: Call,
  { id, headers, secret, ...patch }: ParsedOf<Webhooks['update']>,
): Promise<Presented<Webhook>> {
  const { environment } = call
  // What is sealed anew is sealed before the transaction, in which nothing may be waited for.
  const before = await changeableWebhook(call, id)
  requireOwnSecrets(before, { url: patch.url, headers, secret })
  const { url, template, mapping } = patch
  requireSound(call, { headers, secret, url, template, mapping }, before)
  const sealed = {
    ...(headers && { headers: await sealedHeaders(environment, headers, before.headers) }),
    ...(secret !== undefined && {
      sealedSecret: await sealedSecret(environment, secret, before.sealedSecret),
    }),
  }
  return call.transaction(async (tx) => {
    const { revision, ...webhook } = await changeableWebhook(within(call, tx), id)
    const changed = { ...webhook, ...sentMembers(patch), ...sealed, updatedDate: call.now }
    return record(call, tx, { webhook: changed, revision, event: 'WEBHOOK_UPDATED' })
  })
}

/** Deletes a webhook; what is queued for it is not sent. Errors: `not_found`, `forbidden`, `precondition_failed`. */
export async function deleteWebhook(call: Call, { id }: ParsedOf<Webhooks['delete']>): Promise<undefined> {
  return call.transaction(async (tx) => {
    const { repositoryId, revision } = await changeableWebhook(within(call, tx), id)
    await tx.records.delete('webhook', id, revision)
    await tx.journal.record(recordEvent(call, 'WEBHOOK_DELETED', { kind: 'webhook', id, repositoryId }))
    return undefined
  })
}

interface Change {
  readonly webhook: WebhookRecord
  readonly revision: number
  readonly event: 'WEBHOOK_CREATED' | 'WEBHOOK_UPDATED'
}

async function record(
  call: Call,
  tx: Transaction,
  { webhook, revision, event }: Change,
): Promise<Presented<Webhook>> {
  const stored: Stored<'webhook'> = await tx.records.put('webhook', webhook, revision)
  const { id, repositoryId } = stored
  await tx.journal.record(recordEvent(call, event, { kind: 'webhook', id, repositoryId }))
  return presentStored(stored)
}

/**
 * What is secret was given for one address: sent to another by somebody who does not know it, it would be told to them.
 * Errors: `invalid` for an address of another origin without the secrets anew.
 */
function requireOwnSecrets(
  before: WebhookRecord,
  { url, headers, secret }: Pick<Said, 'url' | 'headers' | 'secret'>,
): void {
  if (url === undefined || URL.parse(url)?.origin === URL.parse(before.url)?.origin) return
  const isKept = (value: string | null | undefined) => value === undefined || value === hidden
  const message = 'must be given anew: what was set is for another address'
  const keepsHeaders = headers ? headers.some(({ value }) => isKept(value)) : before.headers.length > 0
  const issues = [
    issueAt('headers', keepsHeaders ? message : null),
    issueAt('secret', before.sealedSecret !== null && isKept(secret) ? message : null),
  ].filter((issue) => issue !== null)
  if (issues.length > 0) throw invalid(issues)
}

interface Said {
  readonly url: string | undefined
  readonly secret: string | null | undefined
  readonly template: string | null | undefined
  readonly mapping: Readonly<Record<string, string>> | undefined
  readonly headers: ParsedOf<Webhooks['create']>['headers'] | undefined
}

/** Errors: `invalid`. */
function requireSound({ environment }: Call, said: Said, before: KeptSecrets): void {
  const { url, headers = [], secret, template, mapping = {} } = said
  const issues: (Issue | null)[] = [
    issueAt('url', url === undefined ? null : environment.outbound.problemOf(url)),
    issueAt('secret', !secret || secret === hidden ? null : secretProblem(secret)),
    issueAt('template', template ? templateProblem(template) : null),
    ...headers.map(({ name }, index) => issueAt(`headers.${index}.name`, headerProblem(name))),
    ...Object.keys(mapping).map((member) => issueAt(`mapping.${member}`, mappingProblem(member))),
    ...issuesOfHidden(said, before),
  ]
  const found = issues.filter((issue) => issue !== null)
  if (found.length > 0) throw invalid(found)
}
