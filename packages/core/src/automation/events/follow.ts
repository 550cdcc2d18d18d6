import { limits, QuireError } from '@quire/contract'
import type { StreamedEvent } from '@quire/contract/codec'
import { isOpen } from '../../people/auth/sessions.ts'
import type { Call } from '../../engine/call.ts'
import { takeSlots } from '../../engine/take-slots.ts'
import { ServedEvents } from '../../engine/served-events.ts'

/** What a stream looks at, again and again. */
export interface Following {
  /** The call as of now, with the rights of now; null once the stream is to end: nobody reads it, the engine stops, or its caller is none any more. */
  now(): Promise<Call | null>
  /** Waits until something was committed since `now`, here or, as far as anybody knows, elsewhere: for `ms` at most. */
  change(ms: number): Promise<void>
}

/** Ms in which commits are gathered before they are looked at. At half, a stream looks twice as often while many write; at twice, it is that much later. */
const gatherMs = 20

/**
 * A stream that holds a place of its caller's and one of all for as long as somebody reads it. Errors: `too_many_requests` when none is left, now
 * or when the reading begins.
 */
export function serveEvents<T>(
  call: Call,
  follow: (following: Following) => AsyncIterable<StreamedEvent<T>>,
): ServedEvents<T> {
  takeBoth(call)()
  return new ServedEvents({
    take: () => takeBoth(call),
    follow: (left) => untilStopped(call, follow(followingOf(call, left))),
  })
}

/** The same events. What they fail at because the engine stops is their end. */
async function* untilStopped<T>({ shared }: Call, events: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* events
  } catch (error) {
    if (!shared.isStopping()) throw error
  }
}

function followingOf(call: Call, left: AbortSignal): Following {
  const { shared } = call
  let seen = shared.changes()
  return {
    async now() {
      seen = shared.changes()
      return left.aborted || shared.isStopping() ? null : renewedOrNull(call)
    },
    async change(ms) {
      await shared.nextChange(ms, left, seen)
      if (!left.aborted) await new Promise<void>((resolve) => void setTimeout(resolve, gatherMs))
    },
  }
}

/** The call as of now; null when its token, its session or its account has ended. */
async function renewedOrNull(call: Call): Promise<Call | null> {
  const { principal, store, environment } = call
  const now = environment.clock.now()
  if (principal.kind === 'user' || principal.kind === 'service') {
    const { expires = Number.POSITIVE_INFINITY, session } = principal
    if (expires <= now) return null
    if (session !== undefined && !(await isOpen(store, session, now))) return null
  }
  try {
    return await call.renewed()
  } catch (error) {
    if (error instanceof QuireError && error.code === 'unauthorized') return null
    throw error
  }
}

function takeBoth({ shared, identity }: Call): () => void {
  return takeSlots(shared, {
    own: [`events ${identity.owner}`, limits.streamsOfOne],
    all: ['events', limits.streamsOfAll],
  })
}
