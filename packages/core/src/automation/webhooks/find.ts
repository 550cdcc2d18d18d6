import { QuireError, type PermissionKey } from '@quire/contract'
import { mayDo } from '../../engine/access/permissions.ts'
import { requirePermission, type Call } from '../../engine/call.ts'
import { entryInRepository, recordsOf, plainRecord } from '../../engine/record-rules.ts'
import type { Stored } from '../../ports/index.ts'
import { type WebhookRecord, serializeWebhook } from './record.ts'

export const webhookRecords = recordsOf({
  kind: 'webhook',
  called: 'webhook',
  events: { created: 'WEBHOOK_CREATED', updated: 'WEBHOOK_UPDATED', deleted: 'WEBHOOK_DELETED' },
  entry: entryInRepository<WebhookRecord>('webhook'),
  serialize: (stored) => serializeWebhook(plainRecord(stored)),
})

/** Whether the caller holds a permission for the webhooks of a repository. */
export function mayAccessWebhooks(
  call: Call,
  key: Extract<PermissionKey, `admin.webhooks.${string}`>,
  repositoryId: string,
): boolean {
  return mayDo(call.identity.permissions, key, { repositoryId })
}

/**
 * Errors: `not_found`, with the same message for an absent webhook and for one that the caller may
 * not see.
 */
export async function findWebhook(call: Call, id: string): Promise<Stored<'webhook'>> {
  const found = await call.store.records.get('webhook', id)
  if (!found || !mayAccessWebhooks(call, 'admin.webhooks.view', found.repositoryId))
    throw new QuireError('not_found', `There is no webhook "${id}" that you may see.`)
  return found
}

/**
 * A webhook that the caller may change. Errors: `not_found`, `forbidden`, `precondition_failed`.
 */
export async function requireChangeableWebhook(call: Call, id: string): Promise<Stored<'webhook'>> {
  const found = await call.store.records.get('webhook', id)
  const isVisible = found && webhookKeys.some((key) => mayAccessWebhooks(call, key, found.repositoryId))
  if (!isVisible) throw new QuireError('not_found', `There is no webhook "${id}" that you may see.`)
  requirePermission(call, 'admin.webhooks.update', { repositoryId: found.repositoryId })
  return webhookRecords.matched(call, found, id)
}

const webhookKeys = ['admin.webhooks.view', 'admin.webhooks.update'] as const
