import type { Contract, OutputOf, ParsedOf, Webhook } from '@quire/contract'
import { Presented } from '../call/answer.ts'
import type { Call } from '../call/call.ts'
import { pageOf } from '../call/paging.ts'
import { plainRecord, recordTag } from '../call/records.ts'
import { findRepository } from '../lines/lines.ts'
import type { Stored } from '../ports/index.ts'
import { findWebhook, mayWithWebhooks } from './find.ts'
import { presentWebhook } from './stored.ts'

type Webhooks = Contract['webhooks']

/** The webhooks that the caller may see. Errors: `not_found`. */
export async function listWebhooks(
  call: Call,
  { repositoryId, ...page }: ParsedOf<Webhooks['list']>,
): Promise<OutputOf<Webhooks['list']>> {
  const of = repositoryId === undefined ? null : (await findRepository(call, repositoryId)).id
  const all = await call.store.records.list('webhook')
  const seen = all.filter(
    (webhook) =>
      (of === null || webhook.repositoryId === of) &&
      mayWithWebhooks(call, 'admin.webhooks.view', webhook.repositoryId),
  )
  return pageOf(
    seen.map((webhook) => presentWebhook(plainRecord(webhook))),
    page,
  )
}

/** One webhook. Errors: `not_found`. */
export async function getWebhook(call: Call, { id }: ParsedOf<Webhooks['get']>): Promise<Presented<Webhook>> {
  return presentStored(await findWebhook(call, id))
}

/** A webhook as it is answered. */
export function presentStored(stored: Stored<'webhook'>): Presented<Webhook> {
  return new Presented(JSON.stringify(presentWebhook(plainRecord(stored))), recordTag(stored))
}
