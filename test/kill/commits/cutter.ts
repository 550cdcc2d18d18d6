import { setTimeout as wait } from 'node:timers/promises'
import { asAdministrator } from '../../services/postgres.ts'
import { openRelay, type Passage, type Relay } from '../relay.ts'

/**
 * Where a COMMIT is cut: it never reaches the database; its answer never comes back; or the database ends the connection about when it comes, so
 * that nobody knows.
 */
export type CutMoment = 'unsent' | 'unanswered' | 'ended'

/** All of them. */
export const cutMoments = ['unsent', 'unanswered', 'ended'] as const satisfies readonly CutMoment[]

/** A way to the database that is cut at a COMMIT. */
export interface Cutter {
  readonly url: string
  /** Cuts the next COMMIT. */
  aim(moment: CutMoment): void
  /** COMMITs that were cut. */
  cuts(): number
  close(): Promise<void>
}

// As the protocol has it: a text ends with a zero.
const commit = Buffer.from('COMMIT\0')

// Milliseconds within which a COMMIT is made.
const longestCommit = 3

/** Opens one. */
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
    // The answer says that it was made, and goes no further.
    database.once('data', () => client.resetAndDestroy())
    database.write(bytes)
  },
  ended({ database }, bytes) {
    const { localPort } = database
    setTimeout(() => void database.write(bytes), Math.random() * longestCommit)
    void endConnection(localPort ?? 0)
  },
}

/** Ends the connection that comes from a port. */
async function endConnection(port: number): Promise<void> {
  await asAdministrator(async (client) => {
    await wait(Math.random() * longestCommit)
    await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE client_port = $1', [
      port,
    ])
  })
}
