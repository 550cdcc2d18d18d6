import { randomUUID } from 'node:crypto'
import type { WorkflowInfo } from '@quire/contract'
import type { Served } from '../kill/cycle.ts'
import { repository } from './world.ts'

/** An action of a reviewer. */
export interface Act {
  readonly event: 'start' | 'approve' | 'reject' | 'route' | 'cancel'
  readonly packageName: string
  readonly comment?: string
  readonly targetStep?: string
  /** Sent as `Idempotency-Key`. Default: a new one. */
  readonly key?: string
}

/** The answer to an action. */
export interface Acted {
  readonly status: number
  readonly body: {
    readonly success: boolean
    readonly message: string
    readonly code?: string
    readonly error?: string
    readonly workflowInfo: WorkflowInfo | null
  }
  /** Duration in milliseconds. */
  readonly took: number
}

type At = Pick<Served, 'url' | 'token'>

/** Sends the action once. Errors: throws when there is no answer. */
export async function act({ url, token }: At, { key = randomUUID(), ...wanted }: Act): Promise<Acted> {
  const start = performance.now()
  const response = await fetch(`${url}/api/workflow/events`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ repositoryId: repository, ...wanted }),
    signal: AbortSignal.timeout(20_000),
  })
  const body: Acted['body'] = JSON.parse(await response.text())
  return { status: response.status, body, took: performance.now() - start }
}
