import { fsyncSync, openSync, writeSync } from 'node:fs'
import { setImmediate as nextLoop } from 'node:timers/promises'

/** A write as it was sent. */
export interface Sent {
  readonly key: string
  readonly path: string
  readonly method: 'POST' | 'PATCH'
  /** The text of the body: a retry sends the same bytes. */
  readonly body: string
  readonly ifMatch?: string
  /** SHA-256 of the content. */
  readonly hash: string
}

/** A complete answer of success. */
export interface Acknowledged {
  readonly key: string
  readonly id: string
  readonly version: number
}

/** What the driver knows to have sent and to have been told. */
export interface Ledger {
  readonly sent: ReadonlyMap<string, Sent>
  readonly acknowledged: ReadonlyMap<string, Acknowledged>
  /** Resolves once the entry is on disk; only then may the request go out. */
  noteSent(sent: Sent): Promise<void>
  noteAcknowledged(acknowledged: Acknowledged): Promise<void>
  /** The server says that it took effect, which nobody had been told: it must be found. */
  noteEffective(key: string): Promise<void>
  readonly effective: ReadonlySet<string>
  /** Sent, and nothing more is known. */
  unknown(): Sent[]
  /** The server said no: nothing of it may be found. */
  noteRefused(key: string): Promise<void>
  readonly refused: ReadonlySet<string>
}

/**
 * An append-only file with an entry for each request before it is sent and for each complete answer after it was read, synced
 * before the driver goes on: it outlives the driver, too.
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

/** Entries of one turn share a sync: eight writers wait for one disk. */
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
