import { NewAccessConfiguration, parseAs, QuireError, type UpstreamAuth } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { authHeaders, withoutSlash } from '../../engine/upstream.ts'
import type { JsonObject } from '../../ports/index.ts'
import type { AccessConfigurationRecord } from './record.ts'
import { openedMembers } from './stored.ts'

/** What one caller may use of an upstream, and in which time. */
export type Budget = Readonly<NonNullable<Known['budget']>>

type Known = ReturnType<typeof knownMembers>

/** An upstream with what opens it. Nothing of it is shown to whoever uses it. */
export interface Upstream extends Pick<AccessConfigurationRecord, 'id' | 'name' | 'type'> {
  /** Without a slash at its end. */
  readonly baseUrl: string
  /** What says there who we are. */
  readonly credentials: readonly (readonly [name: string, value: string])[]
  readonly allowedMethods: readonly string[]
  readonly allowedPaths: readonly string[]
  /** The language model that is asked where nothing names one. */
  readonly model: string | null
  /** Ms for a whole answer, and bytes of a body; undefined: as is usual for what is asked. */
  readonly timeoutMs: number | undefined
  readonly maxBytes: number | undefined
  readonly budget: Budget | undefined
}

/** The upstream of an access configuration. Errors: `not_found`, also for one that has no address. */
export async function findUpstream({ store, environment }: Call, id: string): Promise<Upstream> {
  const found = await store.records.get('accessConfiguration', id)
  const members = found && knownMembers(found, await openedMembers(environment, found))
  if (!found || members?.baseUrl === undefined) throw unknownUpstream(id)
  const { allowedMethods = [], allowedPaths = [], timeoutMs, maxBytes, budget } = members
  return {
    id,
    name: found.name,
    type: found.type,
    baseUrl: withoutSlash(members.baseUrl),
    credentials: authHeaders(authOf(members)),
    allowedMethods,
    allowedPaths,
    model: members.model ?? null,
    timeoutMs,
    maxBytes,
    budget,
  }
}

/** The error for an upstream that is not there for whoever asks. */
export function unknownUpstream(id: string): QuireError {
  return new QuireError('not_found', `There is no upstream "${id}" here.`)
}

/** What we know of the members that a provider has. Errors: throws for members that were never let in. */
export function knownMembers(
  { name, type }: Pick<AccessConfigurationRecord, 'name' | 'type'>,
  members: JsonObject,
) {
  const parsed = parseAs(NewAccessConfiguration, { ...members, name, type })
  if ('issues' in parsed) throw new Error(`An access configuration is stored that is none: ${name}`)
  return parsed.value
}

function authOf({ apiKey, auth }: Pick<Known, 'apiKey' | 'auth'>): UpstreamAuth {
  return auth ?? (apiKey === undefined ? { kind: 'none' } : { kind: 'bearer', token: apiKey })
}
