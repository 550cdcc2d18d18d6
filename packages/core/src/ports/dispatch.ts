/**
 * Tells the processes that share a store what was queued. It tells no more than that there is something to do: what is begun is claimed from
 * `jobs`, which holds every job and its state. What is told may be lost; a worker that looks by itself finds it all the same.
 */
export interface JobDispatch {
  /**
   * Calls `wake`, which never throws, for jobs that were queued and committed: each is told to one of those that follow, in whichever process.
   * Until what it answers is called.
   */
  follow(wake: () => void): () => void
}
