import { StoreUnavailable } from '@quire/core/ports'

/** Reports the outcome of the work to its caller. Called once the writes are durable. */
export type Complete = () => void

/**
 * Work that is queued for a database transaction shared with other work. `B` is what it runs on.
 */
export interface GroupedWrites<B> {
  readonly synced: boolean
  readonly run: (on: B) => Promise<Complete>
  readonly refuse: (error: unknown) => void
}

/** Wraps work for the queue. `ended` is what its caller awaits. */
export function createGroupedWrites<B, T>(
  work: (on: B) => Promise<T>,
  synced: boolean,
): { readonly job: GroupedWrites<B>; readonly ended: Promise<T> } {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const run = (on: B): Promise<Complete> =>
    work(on).then(
      (result) => () => resolve(result),
      (error: unknown) => () => reject(error),
    )
  return { job: { synced, run, refuse: reject }, ended: promise }
}

/** The error that every call on a closed store throws. */
export function closedError(): StoreUnavailable {
  return new StoreUnavailable('closed', 'The store is closed: open it again.')
}
