import type { Webhook } from '@quire/contract'

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
