import { limits, QuireError } from '@quire/contract'
import type { StreamedEvent } from '@quire/contract/codec'
import { isSessionOpen } from '../../people/auth/sessions.ts'
import type { Call } from '../../engine/call.ts'
import { takeSlots } from '../../engine/take-slots.ts'
import { ServedEvents } from '../../engine/served-events.ts'

/** What a stream of events needs to follow changes. */
export interface ChangeFeed {
  /**
   * The call with the current time and permissions; null when the stream has to end, because nobody
   * reads it, the engine stops, or the caller is no longer authenticated.
   */
  currentCall(): Promise<Call | null>
  /**
   * Waits up to `ms` for a commit since the last `currentCall`, in this process or, as far as it is
   * notified of them, in another one.
   */
  nextChange(ms: number): Promise<void>
}

/**
 * Milliseconds for which commits are gathered before a stream reads them. At half, a stream reads
 * twice as often under many writes; at twice, events arrive that much later.
 */
const gatherMs = 20

/**
 * Creates a stream that holds a slot of its caller and one of the service while somebody reads it.
 * Errors: `too_many_requests` when no slot is free, now or when reading begins.
 */
export function serveEvents<T>(
  call: Call,
  follow: (feed: ChangeFeed) => AsyncIterable<StreamedEvent<T>>,
): ServedEvents<T> {
  acquireSlots(call)()
  return new ServedEvents({
    take: () => acquireSlots(call),
    follow: (closed) => untilStopped(call, follow(createFeed(call, closed))),
  })
}

/** Passes the events on. If the source fails while the engine stops, the stream just ends. */
async function* untilStopped<T>({ shared }: Call, events: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* events
  } catch (error) {
    if (!shared.isStopping()) throw error
  }
}

/** `closed` is aborted when nobody reads the stream any more. */
function createFeed(call: Call, closed: AbortSignal): ChangeFeed {
  const { shared } = call
  let seen = shared.changes()
  return {
    async currentCall() {
      seen = shared.changes()
      return closed.aborted || shared.isStopping() ? null : renewCall(call)
    },
    async nextChange(ms) {
      await shared.nextChange(ms, closed, seen)
      if (!closed.aborted) await new Promise<void>((resolve) => void setTimeout(resolve, gatherMs))
    },
  }
}

/**
 * The call with the current time and permissions; null when its token, session or account is no
 * longer valid.
 */
async function renewCall(call: Call): Promise<Call | null> {
  const { principal, store, environment } = call
  const now = environment.clock.now()
  if (principal.kind === 'user' || principal.kind === 'service') {
    const { expires = Number.POSITIVE_INFINITY, session } = principal
    if (expires <= now) return null
    if (session !== undefined && !(await isSessionOpen(store, session, now))) return null
  }
  try {
    return await call.renewed()
  } catch (error) {
    if (error instanceof QuireError && error.code === 'unauthorized') return null
    throw error
  }
}

function acquireSlots({ shared, identity }: Call): () => void {
  return takeSlots(shared, {
    own: [`events ${identity.owner}`, limits.streamsOfOne],
    all: ['events', limits.streamsOfAll],
  })
}
