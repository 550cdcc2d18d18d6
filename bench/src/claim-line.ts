import { join } from 'node:path'
import type { NewJob, Store } from '@quire/core/ports'
import { openSqliteStore } from '@quire/store-sqlite'
import { article } from './articles.ts'
import { median, ratioLine, type Figure } from './compare.ts'

/** The queue lengths that claims are measured with. */
export interface ClaimEffort {
  readonly rounds: number
  readonly few: number
  readonly many: number
}

/** The time to find and start the next jobs in a long queue, relative to a short one. */
export async function claimLine(data: string, { rounds, few, many }: ClaimEffort): Promise<Figure> {
  const stores = [await queueOf(data, few), await queueOf(data, many)] as const
  try {
    const pairs: (readonly [number, number])[] = []
    for (let round = -1; round < rounds; round++) {
      const pair = [await claimTime(stores[0]), await claimTime(stores[1])] as const
      if (round >= 0) pairs.push(pair)
    }
    const us = (side: 0 | 1) => (median(pairs.map((pair) => pair[side])) * 1000).toFixed(0)
    return ratioLine(
      `p50 of a job claim with ${many} queued, relative to ${few} queued`,
      pairs.map(([short, long]) => long / short),
      {
        target: 2,
        bound: 'atMost',
        detail: `${us(0)} → ${us(1)} µs; ${subjects} webhooks, without the commit`,
      },
    )
  } finally {
    await Promise.all(stores.map((store) => store.close()))
  }
}

const kind = 'webhook.deliver'
const subjects = 10

/** Creates a store with `count` queued deliveries to several webhooks. */
async function queueOf(data: string, count: number): Promise<Store> {
  const store = await openSqliteStore({ file: join(data, `claims-${count}.db`) })
  for (let start = 0; start < count; start += 1000)
    await store.transaction(async ({ jobs }) => {
      for (let index = start; index < Math.min(start + 1000, count); index++) await jobs.enqueue(jobAt(index))
    })
  return store
}

function jobAt(index: number): NewJob {
  const at = 1_790_000_000_000 + index
  const { fields } = article(index)
  return {
    id: `JOB_${String(index).padStart(26, '0')}`,
    kind,
    repositoryId: 'REPO_BENCH',
    subject: `WEBH_${index % subjects}`,
    key: null,
    payload: { event: 'ITEM_CREATED', entityId: `CONT_${index}` },
    body: JSON.stringify({ title: fields.title, body: fields.body }),
    maxAttempts: 1,
    runAt: at,
    createdAt: at,
    createdBy: { userName: 'bench', displayName: 'Bench', email: '' },
  }
}

class Undone extends Error {}

// Claims per round. A claim of two jobs takes a tenth of a millisecond.
const claims = 200

/**
 * The p50 in ms of looking for due jobs and claiming two of them. Each claim is rolled back, so
 * that the queue keeps its length.
 */
async function claimTime(store: Store): Promise<number> {
  const times: number[] = []
  for (let index = 0; index < claims; index++) {
    const claim = store.transaction(async ({ jobs }) => {
      const started = performance.now()
      const now = 1_800_000_000_000
      await jobs.nextDue([kind])
      const begun = await jobs.claim({ kind, now, limit: 32, each: 2, except: [] })
      times.push(performance.now() - started)
      throw new Undone(`${begun.length} jobs`)
    })
    await claim.catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error
    })
  }
  return median(times)
}
