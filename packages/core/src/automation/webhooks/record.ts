import type { ParsedOf, Contract, Issue, Webhook } from '@quire/contract'
import type { Environment } from '../../engine/environment.ts'
import { redacted } from '../../engine/redacted.ts'

type SecretInput = Pick<ParsedOf<Contract['webhooks']['create']>, 'headers' | 'secret'>

export type StoredSecrets = Pick<WebhookRecord, 'headers' | 'sealedSecret'>

const purpose = 'webhook'

/** A webhook as it is sent, with its secrets redacted. */
export function serializeWebhook({ sealedSecret, headers, ...webhook }: WebhookRecord): Webhook {
  return {
    ...webhook,
    headers: headers.map(({ name }) => ({ name, value: redacted })),
    secret: sealedSecret === null ? null : redacted,
  }
}

/**
 * The issues of secrets that are sent as `***`, which keeps the stored value, although no value is
 * stored.
 */
export function issuesOfRedacted(
  { headers = [], secret }: { readonly [Member in keyof SecretInput]: SecretInput[Member] | undefined },
  before: StoredSecrets,
): Issue[] {
  const stored = valuesByName(before.headers)
  const unset = headers.filter(({ name, value }) => value === redacted && !stored.has(name.toLowerCase()))
  const names = unset.map(({ name }) => `"${name}"`).join(', ')
  return [
    ...(unset.length > 0 ? [{ path: 'headers', message: `no value is stored for ${names}` }] : []),
    ...(secret === redacted && before.sealedSecret === null
      ? [{ path: 'secret', message: 'no value is stored' }]
      : []),
  ]
}

/**
 * Seals the values of headers. A value sent as `***` keeps the stored value of that name (see
 * `issuesOfRedacted`).
 */
export async function sealHeaders(
  { secrets }: Pick<Environment, 'secrets'>,
  headers: SecretInput['headers'],
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

/** Sealed values by header name in lower case, because header names are case-insensitive. */
function valuesByName(headers: WebhookRecord['headers']): ReadonlyMap<string, string> {
  return new Map(headers.map(({ name, sealedValue }) => [name.toLowerCase(), sealedValue]))
}

/** Seals a secret. One sent as `***` keeps the stored value. Null removes it. */
export async function sealSecret(
  { secrets }: Pick<Environment, 'secrets'>,
  secret: SecretInput['secret'],
  before: WebhookRecord['sealedSecret'],
): Promise<string | null> {
  if (secret === null) return null
  return secret === redacted ? before : secrets.seal(secret, purpose)
}

export function openSecret({ secrets }: Pick<Environment, 'secrets'>, sealed: string): Promise<string> {
  return secrets.open(sealed, purpose)
}

/** A webhook as stored, with its secrets sealed. */
export interface WebhookRecord extends Omit<Webhook, 'headers' | 'secret'> {
  readonly headers: readonly { readonly name: string; readonly sealedValue: string }[]
  readonly sealedSecret: string | null
}

declare module '../../ports/records.ts' {
  interface RecordKinds {
    webhook: WebhookRecord
  }
}

/** The kind of job that delivers one event to one webhook. Its subject is the id of the webhook. */
export const deliveryKind = 'webhook.deliver'
