import { fsyncSync, openSync, writeSync } from 'node:fs'
import { setImmediate as nextLoop } from 'node:timers/promises'

/** A write as it was sent. */
export interface Sent {
  readonly key: string
  readonly path: string
  readonly method: 'POST' | 'PATCH'
  /** The body as text, because a retry sends the same bytes. */
  readonly body: string
  readonly ifMatch?: string
  /** SHA-256 of the content. */
  readonly hash: string
}

/** A complete, successful answer. */
export interface Acknowledged {
  readonly key: string
  readonly id: string
  readonly version: number
}

/** The driver's record of requests and answers. */
export interface Ledger {
  readonly sent: ReadonlyMap<string, Sent>
  readonly acknowledged: ReadonlyMap<string, Acknowledged>
  /** Resolves once the entry is on disk. Send the request only after that. */
  noteSent(sent: Sent): Promise<void>
  noteAcknowledged(acknowledged: Acknowledged): Promise<void>
  /**
   * The server reported that it took effect, which was unknown before. Its effect must be found.
   */
  noteEffective(key: string): Promise<void>
  readonly effective: ReadonlySet<string>
  /** Requests that were sent, but not answered. */
  unknown(): Sent[]
  /** The server rejected it. No effect may be found. */
  noteRefused(key: string): Promise<void>
  readonly refused: ReadonlySet<string>
}

/**
 * Opens an append-only file. It gets an entry for each request before it is sent, and one for each
 * complete answer after it was read. Entries are synced before the driver continues, so that they
 * also survive a crash of the driver.
 */
export function openLedger(file: string): Ledger {
  const append = syncedAppender(file)
  const sent = new Map<string, Sent>()
  const acknowledged = new Map<string, Acknowledged>()
  const refused = new Set<string>()
  const effective = new Set<string>()
  const isKnown = ({ key }: Sent) => acknowledged.has(key) || refused.has(key) || effective.has(key)
  return {
    sent,
    acknowledged,
    refused,
    effective,
    noteSent(entry) {
      sent.set(entry.key, entry)
      const { key, method, path, hash } = entry
      return append(['sent', key, method, path, hash])
    },
    noteAcknowledged(entry) {
      acknowledged.set(entry.key, entry)
      return append(['acknowledged', entry.key, entry.id, entry.version])
    },
    noteRefused(key) {
      refused.add(key)
      return append(['refused', key])
    },
    noteEffective(key) {
      effective.add(key)
      return append(['effective', key])
    },
    unknown: () => [...sent.values()].filter((entry) => !isKnown(entry)),
  }
}

/** Entries of one event loop turn share a sync: eight writers use one disk. */
function syncedAppender(file: string): (entry: readonly unknown[]) => Promise<void> {
  const handle = openSync(file, 'a')
  let waiting: string[] = []
  let flushing: Promise<void> | undefined
  const flush = async () => {
    await nextLoop()
    const lines = waiting
    waiting = []
    flushing = undefined
    writeSync(handle, lines.join(''))
    fsyncSync(handle)
  }
  return (entry) => {
    waiting.push(`${JSON.stringify(entry)}\n`)
    return (flushing ??= flush())
  }
}
