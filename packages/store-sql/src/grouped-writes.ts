import { StoreUnavailable } from '@quire/core/ports'

/** Tells the caller how its work ended; held back until what it wrote is durable. */
export type Complete = () => void

/** Work that waits for its turn in a database transaction, which others share. `B` is what it runs on. */
export interface GroupedWrites<B> {
  readonly synced: boolean
  readonly run: (on: B) => Promise<Complete>
  readonly refuse: (error: unknown) => void
}

/** Work for a queue, and how it ends for its caller. */
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

/** The error of every call on a closed store. */
export function closedError(): StoreUnavailable {
  return new StoreUnavailable('closed', 'The store is closed: open it again.')
}
