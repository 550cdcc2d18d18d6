/**
 * Notifies the processes that share a store when jobs are queued. A notification says only that
 * there is something to do: workers claim from `jobs`, which holds every job and its state.
 * Notifications may be lost; workers that poll find the jobs anyway.
 */
export interface JobDispatch {
  /**
   * Calls `wake`, which must not throw, after jobs are queued and committed. Each notification goes
   * to one of the followers, in any process. Returns a function that stops it.
   */
  follow(wake: () => void): () => void
}
