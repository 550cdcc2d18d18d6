import type { Commits } from '@quire/core/ports'
import type { Run } from './postgres-driver.ts'

interface Sources {
  /** Runs a statement on a reading connection. */
  readonly run: Run
  /** The generation of the cached records, which may be behind the database. */
  readonly generation: () => number
}

/**
 * Counts the commits of all processes by the number that each writes as its last statement, while it
 * holds the lock of commits. A change of the cached records counts, too: what was read with older
 * records is different from what is read now. While other processes' changes do not arrive, each
 * look is a change.
 */
export function createCommits({ run, generation }: Sources): Commits {
  let count = 0
  let seen = { number: Number.NaN, generation: Number.NaN }
  const look = (number: number) => {
    const now = { number, generation: generation() }
    if (now.number !== seen.number || now.generation !== seen.generation) count += 1
    seen = now
    return count
  }
  return {
    latest: () => look(seen.number),
    catchUp: shareNext(async () => {
      const { rows } = await run({ name: 'quire commits', text: lastCommit, rowMode: 'array' })
      // It is lower after a crash that has lost commits that did not wait for the disk.
      look(Number(rows[0]?.[0] ?? 0))
    }),
  }
}

const lastCommit = 'SELECT max(number) FROM commit_keys'

/**
 * Work that runs at most once at a time, and that all share who ask for it before it begins: it sees
 * everything that happened before they asked.
 */
function shareNext(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null
  return () =>
    (next ??= running.then(() => {
      next = null
      const begun = work()
      running = begun.catch(() => undefined)
      return begun
    }))
}
