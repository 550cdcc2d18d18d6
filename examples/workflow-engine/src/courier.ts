import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { StatusMessage } from './messages.ts'
import { vouchFor, type CallbackKey } from './sign.ts'

/** Sends status messages to Quire. */
export interface Courier {
  /** Queues a message until `send` is called. */
  add(url: string, message: StatusMessage): void
  /** Sends the queued messages, those of one instance one at a time. */
  send(): void
  /** The number of instances with undelivered messages. */
  waiting(): number
  /** Drops all undelivered messages. */
  close(): Promise<void>
}

export interface CourierOptions {
  readonly key: CallbackKey
  /** The pause before the second attempt. Each further pause is twice as long. */
  readonly retryMs: number
}

interface Letter {
  /** The same in each attempt, because Quire processes a message once. */
  readonly id: string
  readonly url: string
  readonly message: StatusMessage
}

// With a first pause of one second, the last attempt is 31 seconds after the first. That covers a
// restart of Quire, but not a longer outage.
const attempts = 6
// As long as Quire waits for an engine.
const answerMs = 10_000

/**
 * Opens a courier with a queue in memory, so undelivered messages are lost when the process exits.
 * A production engine should store them in its database.
 */
export function openCourier({ key, retryMs }: CourierOptions): Courier {
  const closing = new AbortController()
  const stored: Letter[] = []
  const underWay = new Map<string, Promise<void>>()
  const deliver = async (letter: Letter) => {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      if (attempt > 0) await pause(retryMs * 2 ** (attempt - 1), undefined, { signal: closing.signal })
      if (await isSettled(letter, key, closing.signal)) return
    }
    console.error(
      `Quire was not notified that ${letter.message.workflowInstanceId} is at ${letter.message.currentStep}.`,
    )
  }
  return {
    add: (url, message) => void stored.push({ id: randomUUID(), url, message }),
    send() {
      for (const letter of stored.splice(0)) {
        const { workflowInstanceId: id } = letter.message
        const before = underWay.get(id) ?? Promise.resolve()
        const delivery = before
          .then(() => deliver(letter))
          .catch(() => undefined)
          .finally(() => {
            if (underWay.get(id) === delivery) underWay.delete(id)
          })
        underWay.set(id, delivery)
      }
    },
    waiting: () => underWay.size,
    async close() {
      closing.abort()
      await Promise.all(underWay.values())
    },
  }
}

/**
 * Posts a message. True: it needs no further attempt, because it was accepted or rejected; false:
 * it should be retried.
 */
async function isSettled(
  { id, url, message }: Letter,
  key: CallbackKey,
  closing: AbortSignal,
): Promise<boolean> {
  const body = JSON.stringify(message)
  try {
    const { status, body: answer } = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': id, ...vouchFor(body, key) },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([closing, AbortSignal.timeout(answerMs)]),
    })
    await answer?.cancel()
    return status < 500 && status !== 429
  } catch {
    return false
  }
}
