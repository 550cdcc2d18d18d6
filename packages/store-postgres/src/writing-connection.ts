import { Client, type QueryConfig } from 'pg'
import { type Target, clientConfig, patience } from './connect.ts'
import type { Run, Send } from './postgres-driver.ts'
import { isConflict, translate } from './postgres-error.ts'

/**
 * Runs the statements of one transaction after another, over a connection that is replaced when it
 * was lost.
 */
export interface WritingConnection {
  /**
   * Opens a connection if there is none, and resets the state of the last transaction. Errors:
   * StoreUnavailable.
   */
  open(): Promise<void>
  /** Errors: StoreUnavailable, or the error of a statement that was sent earlier. */
  readonly run: Run
  readonly send: Send
  /**
   * Runs statements without parameters, separated by semicolons. Returns the command of a single
   * one.
   */
  execute(statement: QueryConfig): Promise<string>
  /**
   * The error of a statement that came too close to another transaction; null if there was none
   * since `open`. It must not be committed, even if the savepoint of that statement was rolled back.
   */
  conflict(): unknown
  /** Makes the following statements fail as if one had failed. */
  fail(error: unknown): void
  /** Errors: the first error of a statement that has failed. */
  requireSound(): void
  /** Call after rolling back the savepoint in which a statement failed. */
  forgive(): void
  /** Refuses all statements until the next `open`. */
  refuse(error: unknown): void
  /** Closes the connection, which rolls back what was not committed. */
  giveUp(): Promise<void>
}

/**
 * The maximum number of sent statements that nobody awaits. At half, nothing is lost; at twice,
 * twice as many long texts are in memory.
 */
const MOST_SENDING = 64

/** Prepares a connection; `open` opens it. */
export function createWritingConnection(target: Target): WritingConnection {
  let client: Client | null = null
  /** The reason why the transaction must not be committed. */
  let refused: unknown = null
  /** The first error of a statement. It makes all later statements in its savepoint fail. */
  let failed: unknown = null
  let conflict: unknown = null
  let sending = 0
  const translated = (error: unknown) => {
    if (isConflict(error)) conflict ??= error
    return translate(error)
  }
  const current = (): Client => {
    if (refused !== null) throw refused
    if (!client) throw translate(new Error('The connection is not open.'))
    return client
  }
  const requireSound = () => {
    if (failed !== null) throw failed
  }
  const answered = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer
    } catch (error) {
      failed ??= translated(error)
      throw failed
    }
  }
  return {
    async open() {
      refused = failed = conflict = null
      client ??= await connect(target)
    },
    async run(statement) {
      requireSound()
      return answered(current().query<unknown[]>(statement))
    },
    async send(statement) {
      requireSound()
      const answer = current().query<unknown[]>(statement)
      sending += 1
      // Handled at once: the response to the next statement, which fails because of this one, may
      // have arrived already.
      const ended = answer.then(
        () => undefined,
        (error: unknown) => void (failed ??= translated(error)),
      )
      const counted = ended.finally(() => void (sending -= 1))
      if (sending >= MOST_SENDING) await counted
    },
    execute: async (statement) => (await answered(current().query(statement))).command,
    conflict: () => conflict,
    fail: (error) => void (failed ??= error),
    requireSound,
    forgive: () => void (failed = null),
    refuse: (error) => void (refused = error),
    async giveUp() {
      const gone = client
      client = null
      await gone?.end().catch(() => undefined)
    },
  }
}

/**
 * Run once per connection. Acknowledged commits are then on disk, whatever the database's default
 * is.
 */
export const durable =
  "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"

async function connect(target: Target): Promise<Client> {
  const client = new Client({ ...clientConfig(target, patience.write), pipeline: true })
  // The loss of a connection is noticed by the statements sent over it, which fail.
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
