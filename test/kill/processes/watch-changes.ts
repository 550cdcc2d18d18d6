import { setTimeout as wait } from 'node:timers/promises'
import { callApi } from '../../server/api-access.ts'
import { tokenBy } from '../cycle.ts'
import { openClient, Unresolved } from './client.ts'
import type { Load } from './load.ts'

/**
 * Milliseconds after which every process must serve changes of permissions, types and settings that
 * another process made. The promise is a second; the rest is reserve for a busy machine.
 */
const promised = 3_000

// Milliseconds that a token of a new account may take.
const longestToken = 20_000

// Milliseconds between two checks of a process.
const betweenLooks = 50

/** A repeated change, and a way to see it on a process. */
export interface Change {
  readonly what: string
  change(round: number): Promise<unknown>
  /** Whether a process serves the change of this round; null: it did not answer. */
  isVisible(index: number, round: number): Promise<boolean | null>
}

/**
 * Changes permissions, types and settings until the load is over, and measures when every process
 * serves the changes.
 */
export async function watchChanges(load: Load, changes: readonly Change[]): Promise<void> {
  try {
    for (let round = 1; !load.isOver(); round++) {
      for (const change of changes) {
        await change.change(round)
        await untilVisible(load, change, round)
      }
    }
  } catch (error) {
    if (!(error instanceof Unresolved)) throw error
  }
}

async function untilVisible({ fleet, tally, isOver }: Load, change: Change, round: number): Promise<void> {
  const reported = performance.now()
  const indexes = Array.from({ length: fleet.size }, (_, index) => index)
  await Promise.all(
    indexes.map(async (index) => {
      let isFound = false
      for (;;) {
        const stale = performance.now() - reported
        const isVisible = await change.isVisible(index, round)
        if (isVisible === true || isOver()) return
        if (isVisible === false) tally.stale = Math.max(tally.stale, stale)
        if (isVisible === false && stale > promised && !isFound) {
          isFound = true
          tally.findings.push(
            `stale: process ${index} does not serve ${change.what} ${round} after ${Math.round(stale)} ms`,
          )
        }
        await wait(betweenLooks)
      }
    }),
  )
}

/** Creates the entities to change, before anything is disturbed. */
export async function prepareChanges(load: Load): Promise<readonly Change[]> {
  const { fleet } = load
  const admin = openClient(load, fleet.token)
  const call = { url: fleet.urlOf(0), token: fleet.token }
  const role = await callApi<{ id: string }>(call, 'POST', {
    path: '/api/security/roles',
    body: { name: 'Watched', bundles: [] },
  })
  const account = await callApi<{ id: string; secret: string }>(call, 'POST', {
    path: '/api/security/serviceAccounts',
    body: { name: 'Watched', roles: [role.id] },
  })
  const until = performance.now() + longestToken
  const watched = openClient(load, await tokenBy(call.url, until, account))
  const settings = '/api/admin/settings'
  const patch = (path: string, body: object) =>
    admin.ask({ method: 'PATCH', path, body: JSON.stringify(body) })
  return [
    {
      what: 'the permissions of round',
      change: (round) =>
        patch(`/api/security/roles/${role.id}`, { bundles: round % 2 ? ['bundle.administrator'] : [] }),
      async isVisible(index, round) {
        const answer = await watched.askAt(index, { method: 'GET', path: settings })
        return answer && (answer.status === 200) === (round % 2 === 1)
      },
    },
    {
      what: 'the settings of round',
      change: (round) => patch(settings, { jobsKeptDays: 1 + (round % 300) }),
      async isVisible(index, round) {
        const answer = await admin.askAt(index, { method: 'GET', path: settings })
        return answer && JSON.parse(answer.body.toString()).jobsKeptDays === 1 + (round % 300)
      },
    },
    {
      what: 'the type of round',
      change: (round) =>
        admin.ask({
          method: 'POST',
          path: '/api/content/management/types',
          body: JSON.stringify({ name: `type${round}` }),
          key: `type-${round}`,
        }),
      async isVisible(index, round) {
        const path = `/api/content/management/types/type${round}`
        const answer = await admin.askAt(index, { method: 'GET', path })
        return answer && answer.status === 200
      },
    },
  ]
}
