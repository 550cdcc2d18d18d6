import type { ParsedOf, Contract, Issue, Webhook } from '@quire/contract'
import type { Environment } from '../../engine/environment.ts'
import { redacted } from '../../engine/redacted.ts'

type Sent = Pick<ParsedOf<Contract['webhooks']['create']>, 'headers' | 'secret'>

/** What is kept of the secrets of a webhook. */
export type StoredSecrets = Pick<WebhookRecord, 'headers' | 'sealedSecret'>

const purpose = 'webhook'

/** A webhook as it is sent: what is secret of it is not. */
export function serializeWebhook({ sealedSecret, headers, ...webhook }: WebhookRecord): Webhook {
  return {
    ...webhook,
    headers: headers.map(({ name }) => ({ name, value: redacted })),
    secret: sealedSecret === null ? null : redacted,
  }
}

/** What is wrong with secrets that are sent as `***`, which keeps what was set: that nothing was. */
export function issuesOfRedacted(
  { headers = [], secret }: { readonly [Member in keyof Sent]: Sent[Member] | undefined },
  before: StoredSecrets,
): Issue[] {
  const stored = valuesByName(before.headers)
  const unset = headers.filter(({ name, value }) => value === redacted && !stored.has(name.toLowerCase()))
  const names = unset.map(({ name }) => `"${name}"`).join(', ')
  return [
    ...(unset.length > 0 ? [{ path: 'headers', message: `nothing was set before for ${names}` }] : []),
    ...(secret === redacted && before.sealedSecret === null
      ? [{ path: 'secret', message: 'nothing was set before' }]
      : []),
  ]
}

/** Headers as they are kept. A value that is sent as `***` stays what it was under that name (see `issuesOfRedacted`). */
export async function sealedHeaders(
  { secrets }: Pick<Environment, 'secrets'>,
  headers: Sent['headers'],
  before: WebhookRecord['headers'],
): Promise<WebhookRecord['headers']> {
  const stored = valuesByName(before)
  return Promise.all(
    headers.map(async ({ name, value }) => {
      const same = value === redacted ? stored.get(name.toLowerCase()) : undefined
      return { name, sealedValue: same ?? (await secrets.seal(value, purpose)) }
    }),
  )
}

/** Sealed values by the names of their headers, which are the same in capitals and small letters. */
function valuesByName(headers: WebhookRecord['headers']): ReadonlyMap<string, string> {
  return new Map(headers.map(({ name, sealedValue }) => [name.toLowerCase(), sealedValue]))
}

/** A secret as it is kept; null for none. */
export async function sealedSecret(
  { secrets }: Pick<Environment, 'secrets'>,
  secret: Sent['secret'],
  before: WebhookRecord['sealedSecret'],
): Promise<string | null> {
  if (secret === null) return null
  return secret === redacted ? before : secrets.seal(secret, purpose)
}

/** What was sealed. */
export function opened({ secrets }: Pick<Environment, 'secrets'>, sealed: string): Promise<string> {
  return secrets.open(sealed, purpose)
}

/** A webhook as stored: what is secret of it is sealed. */
export interface WebhookRecord extends Omit<Webhook, 'headers' | 'secret'> {
  readonly headers: readonly { readonly name: string; readonly sealedValue: string }[]
  readonly sealedSecret: string | null
}

declare module '../../ports/records.ts' {
  interface RecordKinds {
    webhook: WebhookRecord
  }
}

/** The kind of job that delivers one event to one webhook; its subject is the webhook. */
export const deliveryKind = 'webhook.deliver'
