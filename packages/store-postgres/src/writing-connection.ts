import { Client, type QueryConfig } from 'pg'
import { type Target, clientConfig, patience } from './connect.ts'
import type { Run, Send } from './postgres-driver.ts'
import { translate } from './postgres-error.ts'

/** Runs statements of one transaction after another over a connection that is made anew when it was lost. */
export interface WritingConnection {
  /** Makes sure that there is a connection, and forgets what became of the last transaction. Errors: StoreUnavailable. */
  open(): Promise<void>
  /** Errors: StoreUnavailable, or what a statement that was sent before it failed with. */
  readonly run: Run
  readonly send: Send
  /** Runs statements without parameters, several of them parted by semicolons; answers the verb of a single one. */
  execute(statement: QueryConfig): Promise<string>
  /** To be called once the savepoint is undone in which something failed. */
  forgive(): void
  /** Refuses whatever comes before the next `open`. */
  refuse(error: unknown): void
  /** Closes the connection, which undoes what was not committed. */
  giveUp(): Promise<void>
}

/** Statements that are on their way without anybody waiting for them. At half, nothing is lost; at twice, as many long texts are in memory twice. */
const MOST_SENDING = 64

/** Prepares a connection; `open` makes it. */
export function createWritingConnection(target: Target): WritingConnection {
  let client: Client | null = null
  /** Why the transaction is no longer to be committed. */
  let refused: unknown = null
  /** What a statement that was sent failed with: all that come after it in its savepoint fail because of it. */
  let failed: unknown = null
  let sending = 0
  const current = (): Client => {
    if (refused !== null) throw refused
    if (!client) throw translate(new Error('The connection is not open.'))
    return client
  }
  const answered = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer
    } catch (error) {
      throw failed ?? translate(error)
    }
  }
  return {
    async open() {
      refused = failed = null
      client ??= await connect(target)
    },
    run: async (statement) => answered(current().query<unknown[]>(statement)),
    async send(statement) {
      if (failed !== null) throw failed
      const answer = current().query<unknown[]>(statement)
      sending += 1
      // At once: the answer to the next statement, which fails because of this one, may be here already.
      const ended = answer.then(
        () => undefined,
        (error: unknown) => void (failed ??= translate(error)),
      )
      const counted = ended.finally(() => void (sending -= 1))
      if (sending >= MOST_SENDING) await counted
    },
    execute: async (statement) => (await answered(current().query(statement))).command,
    forgive: () => void (failed = null),
    refuse: (error) => void (refused = error),
    async giveUp() {
      const gone = client
      client = null
      await gone?.end().catch(() => undefined)
    },
  }
}

/** Run once on a connection: what is acknowledged over it is on disk, whatever the database is set to. */
export const durable =
  "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"

async function connect(target: Target): Promise<Client> {
  const client = new Client({ ...clientConfig(target, patience.write), pipeline: true })
  // A lost connection fails every statement that is sent over it: that is where it is noticed.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(durable)
    return client
  } catch (error) {
    await client.end().catch(() => undefined)
    throw translate(error)
  }
}
