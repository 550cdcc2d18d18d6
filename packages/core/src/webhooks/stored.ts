import type { ParsedOf, Contract, Webhook } from '@quire/contract'
import type { Environment } from '../call/environment.ts'
import type { WebhookRecord } from '../ports/index.ts'

type Sent = Pick<ParsedOf<Contract['webhooks']['create']>, 'headers' | 'secret'>

/** What is shown in place of a secret, and keeps it where it is sent back (TRUST S25). */
export const hidden = '***'

const purpose = 'webhook'

/** A webhook as it is sent: what is secret of it is not. */
export function presentWebhook({ sealedSecret, headers, ...webhook }: WebhookRecord): Webhook {
  return {
    ...webhook,
    headers: headers.map(({ name }) => ({ name, value: hidden })),
    secret: sealedSecret === null ? null : hidden,
  }
}

/** Headers as they are kept. A value that is sent as `***` stays what it was under that name, as far as there is one. */
export async function sealedHeaders(
  { secrets }: Pick<Environment, 'secrets'>,
  headers: Sent['headers'],
  before: WebhookRecord['headers'],
): Promise<WebhookRecord['headers']> {
  const kept = new Map(before.map(({ name, sealedValue }) => [name.toLowerCase(), sealedValue]))
  return Promise.all(
    headers.map(async ({ name, value }) => {
      const same = value === hidden ? kept.get(name.toLowerCase()) : undefined
      return { name, sealedValue: same ?? (await secrets.seal(value, purpose)) }
    }),
  )
}

/** A secret as it is kept; null for none. */
export async function sealedSecret(
  { secrets }: Pick<Environment, 'secrets'>,
  secret: Sent['secret'],
  before: WebhookRecord['sealedSecret'],
): Promise<string | null> {
  if (secret === null) return null
  return secret === hidden ? before : secrets.seal(secret, purpose)
}

/** What was sealed. */
export function opened({ secrets }: Pick<Environment, 'secrets'>, sealed: string): Promise<string> {
  return secrets.open(sealed, purpose)
}
