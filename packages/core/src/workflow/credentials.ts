import { QuireError } from '@quire/contract'
import type { Call } from '../call/call.ts'
import { isEqualInTime } from '../call/constant-time.ts'
import { digest, macOf } from '../call/digest.ts'
import { liveSecrets, type CallbackSecrets, type ConnectionSecrets } from './connection-secrets.ts'

/** What a callback brings to be known by (specification 5.3). */
export interface Credentials {
  readonly apiKey?: string | undefined
  readonly signature?: string | undefined
  /** The text of its body. */
  readonly body: string
}

/** Seconds by which the time of a signature may differ from ours. */
const tolerance = 300

/**
 * Whether a callback comes from the engine of a connection: by its key, or by a signature of its body. What is brought has to be right, all of
 * it.
 */
export async function isKnownEngine(
  { now }: Pick<Call, 'now'>,
  secrets: ConnectionSecrets,
  { apiKey, signature, body }: Credentials,
): Promise<boolean> {
  const live = liveSecrets(secrets, now)
  const isKey = apiKey === undefined || (await isKeyOf(live, apiKey))
  const isSigned = signature === undefined || (await isSignedBy(live, { signature, body, now }))
  return (apiKey !== undefined || signature !== undefined) && isKey && isSigned
}

/** The error for who is not known: one and the same, whatever is wrong. */
export function unknownEngine(): QuireError {
  const message =
    'No workflow that you may tell of runs on that package: send the X-API-Key or X-Webhook-Signature of the connection that it runs on.'
  return new QuireError('unauthorized', message)
}

/** Digests are compared: how alike two keys begin does not show in the time. */
async function isKeyOf(live: readonly CallbackSecrets[], apiKey: string): Promise<boolean> {
  const given = await digest(apiKey)
  const keys = await Promise.all(live.flatMap((one) => (one.apiKey === null ? [] : digest(one.apiKey))))
  return keys.some((key) => isEqualInTime(key, given))
}

interface Signed {
  readonly signature: string
  readonly body: string
  readonly now: number
}

const signatureForm = /^t=(?<time>\d{1,12}),v1=(?<mac>[0-9a-f]{64})$/

async function isSignedBy(
  live: readonly CallbackSecrets[],
  { signature, body, now }: Signed,
): Promise<boolean> {
  const { time, mac } = signatureForm.exec(signature)?.groups ?? {}
  if (time === undefined || mac === undefined) return false
  if (Math.abs(now / 1000 - Number(time)) > tolerance) return false
  const secrets = live.flatMap(({ signingSecret }) => signingSecret ?? [])
  const macs = await Promise.all(secrets.map((secret) => macOf(secret, `${time}.${body}`)))
  return macs.some((one) => isEqualInTime(one, mac))
}
