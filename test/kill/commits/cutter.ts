import { setTimeout as wait } from 'node:timers/promises'
import { asAdministrator } from '../../services/postgres.ts'
import { openRelay, type Passage, type Relay } from '../relay.ts'

/**
 * When a COMMIT is cut. `unsent`: it never reaches the database. `unanswered`: its answer is lost.
 * `ended`: the database ends the connection around the time it arrives, so that its outcome is
 * unknown.
 */
export type CutMoment = 'unsent' | 'unanswered' | 'ended'

export const cutMoments = ['unsent', 'unanswered', 'ended'] as const satisfies readonly CutMoment[]

/** A connection to the database that can be cut at a COMMIT. */
export interface Cutter {
  readonly url: string
  /** Cuts the next COMMIT. */
  aim(moment: CutMoment): void
  /** Number of COMMITs that were cut. */
  cuts(): number
  close(): Promise<void>
}

// In the protocol, strings end with a zero byte. The command and the tag of its answer are the same.
const commit = Buffer.from('COMMIT\0')

/** The answer to a COMMIT of a transaction in which a statement has failed. */
const rolledBack = Buffer.from('ROLLBACK\0')

// Milliseconds that a COMMIT takes at most.
const longestCommit = 3

export async function openCutter(): Promise<Cutter> {
  let aimed: CutMoment | null = null
  let cuts = 0
  const relay: Relay = await openRelay({
    forward(passage, bytes) {
      if (aimed === null || !bytes.includes(commit)) {
        passage.database.write(bytes)
        return
      }
      const moment = aimed
      aimed = null
      cuts += 1
      cutting[moment](passage, bytes)
    },
  })
  return {
    url: relay.url,
    aim: (moment) => void (aimed = moment),
    cuts: () => cuts,
    close: () => relay.close(),
  }
}

const cutting: Readonly<Record<CutMoment, (passage: Passage, bytes: Buffer) => void>> = {
  unsent: ({ client }) => void client.resetAndDestroy(),
  unanswered({ client, database }, bytes) {
    database.removeAllListeners('data')
    // Answers to statements before the COMMIT may come first. None is passed on.
    database.on('data', (answer) => {
      if (answer.includes(commit) || answer.includes(rolledBack)) client.resetAndDestroy()
    })
    database.write(bytes)
  },
  ended({ database }, bytes) {
    const { localPort } = database
    setTimeout(() => void database.write(bytes), Math.random() * longestCommit)
    void endConnection(localPort ?? 0)
  },
}

/** Ends the database connection of a client port. */
async function endConnection(port: number): Promise<void> {
  await asAdministrator(async (client) => {
    await wait(Math.random() * longestCommit)
    await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE client_port = $1', [
      port,
    ])
  })
}
