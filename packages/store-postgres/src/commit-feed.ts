import { randomUUID } from 'node:crypto'
import type { Changes } from '@quire/store-sql'
import { Client } from 'pg'
import { type Target, clientConfig, patience } from './connect.ts'
import { type ListenedPeers, peersChannelOf } from './peers.ts'
import { translate } from './postgres-error.ts'

/** What a process sends to all others with a commit that changed data they cache. */
export interface CommitNotice extends Changes {
  /** Identifies the process. */
  readonly by: string
}

/** A notice as it arrives. */
interface ReceivedNotice extends CommitNotice {
  /** The number of the announcement; consecutive. */
  readonly number: number
}

/** Keeps cached data in step with the commits of all processes. */
export interface CommitFeed {
  /** Whether other processes' changes currently arrive. */
  isReceived(): boolean
  /** Identifies this process in notices. */
  readonly self: string
  /** Brings the cache to the state of announcement `number` or a later one. */
  catchUp(number: number): Promise<void>
  /**
   * Call once the changes of an own commit are in the cache. Drops the cache if it may lack changes
   * of others from before that commit, or have newer ones that those have replaced.
   */
  completed(number: number): void
  /** Call when it is unknown whether an own commit with changes took place. Drops the cache. */
  lost(): void
  /**
   * Connects and listens. Errors: StoreUnavailable when the first attempt fails. Later, lost
   * connections are replaced.
   */
  start(): Promise<void>
  stop(): Promise<void>
}

/** The notification channel for the commits of a schema. */
export function channelOf(schema: string): string {
  return `quire_${schema}`
}

/**
 * How often the commit number is also polled, in ms, because a connection may be dead without an
 * error. At half, an idle process would run five statements a second; at twice, one slow answer
 * would make it read records from the database again.
 */
const BEAT_MS = 400

/**
 * For how long the answer to a poll proves, from when it was sent, that nothing was missed, in ms.
 * Changes must be visible within a second.
 */
const HEARD_MS = 950

/** The wait before reconnecting, in ms: the first one, and the longest. */
const retry = { first: 100, most: 1_000 }

/**
 * Opens a feed. Peers use its connection, too. `refresh` applies changes, and must drop outdated
 * data at once.
 */
export function createCommitFeed(
  target: Target,
  peers: ListenedPeers,
  refresh: (changes: Changes | 'all') => Promise<void>,
): CommitFeed {
  const self = randomUUID()
  const memory = createMemory(refresh, self)
  const wanted = { stopped: false }
  let listener: Listener | null = null
  let retrying: NodeJS.Timeout | undefined
  const open = async () => {
    const opened = await listen(target, memory, peers)
    if (wanted.stopped) return opened.end()
    listener = opened
    void opened.lost.then(() => lose(opened))
  }
  const lose = (lost: Listener) => {
    if (listener !== lost) return
    listener = null
    peers.sendBy(null)
    void lost.end()
    memory.giveUp()
    again(retry.first)
  }
  const again = (delay: number) => {
    if (wanted.stopped) return
    retrying = setTimeout(() => {
      open().catch(() => again(Math.min(delay * 2, retry.most)))
    }, delay)
    retrying.unref()
  }
  return {
    isReceived: () => listener !== null && listener.isHeard() && memory.isFollowed(),
    self,
    catchUp: (number) => memory.catchUp(number),
    completed: (number) => memory.completed(number),
    lost: () => memory.giveUp(),
    start: open,
    async stop() {
      wanted.stopped = true
      clearTimeout(retrying)
      const last = listener
      listener = null
      peers.sendBy(null)
      await last?.end()
    },
  }
}

type Memory = ReturnType<typeof createMemory>

/** Stands for an unknown commit number. */
const NONE = -1

/**
 * Tracks the commit that the cache corresponds to. `pending` is the reload that the last change
 * required.
 */
function createMemory(refresh: (changes: Changes | 'all') => Promise<void>, self: string) {
  let known = NONE
  let pending: Promise<void> = Promise.resolve()
  const giveUp = () => {
    known = NONE
    pending = refresh('all').catch(() => undefined)
  }
  const take = (number: number, changes: Changes | 'all') => {
    known = number
    pending = Promise.all([pending, refresh(changes)]).then(() => undefined, giveUp)
  }
  const follow = async (number: number) => {
    if (number > known) take(number, 'all')
    await pending
  }
  return {
    giveUp,
    follow,
    isFollowed: () => known !== NONE,
    subscribe({ number, by, ...changes }: ReceivedNotice) {
      // An own commit is completed by its transaction, which may be before or after its notice arrives.
      if (by === self || number <= known) return
      take(number, number === known + 1 ? changes : 'all')
    },
    catchUp: follow,
    completed(number: number) {
      if (number === known + 1) known = number
      else take(Math.max(number, known), 'all')
    },
  }
}

interface Listener {
  /** Whether the connection has worked lately. */
  isHeard(): boolean
  /** Resolves once the connection no longer works. */
  readonly lost: Promise<void>
  end(): Promise<void>
}

/** Connects and listens. The cache is up to date once this resolves. */
async function listen(target: Target, memory: Memory, peers: ListenedPeers): Promise<Listener> {
  const client = new Client({ ...clientConfig(target, patience.listen), query_timeout: HEARD_MS })
  const { promise: lost, resolve } = Promise.withResolvers<void>()
  let beat: NodeJS.Timeout | undefined
  let heardAt = 0
  const follow = async () => {
    const sentAt = performance.now()
    const { rows } = await client.query<{ number: number }>('SELECT number FROM commits')
    await memory.follow(rows[0]?.number ?? NONE)
    heardAt = sentAt
    beat = setTimeout(() => void follow().catch(() => resolve()), BEAT_MS)
    beat.unref()
  }
  const end = async () => {
    clearTimeout(beat)
    await client.end().catch(() => undefined)
  }
  const channels = { commits: channelOf(target.schema), peers: peersChannelOf(target.schema) }
  client.on('notification', ({ channel, payload }) => {
    if (channel === channels.peers) return peers.take(payload)
    const reported = parseReported(payload)
    if (reported) memory.subscribe(reported)
  })
  client.on('error', () => resolve())
  client.on('end', () => resolve())
  try {
    await client.connect()
    await client.query(`LISTEN ${channels.commits}; LISTEN ${channels.peers}`)
    await follow()
    peers.sendBy((payload) => client.query('SELECT pg_notify($1, $2)', [channels.peers, payload]))
    return { isHeard: () => performance.now() - heardAt < HEARD_MS, lost, end }
  } catch (error) {
    await end()
    throw translate(error)
  }
}

/**
 * Parses a notice of this or another process. Null for anything else, because every client of the
 * database can send notifications.
 */
function parseReported(payload = ''): ReceivedNotice | null {
  try {
    const reported: ReceivedNotice | null = JSON.parse(payload)
    return typeof reported?.number === 'number' && Array.isArray(reported.records) ? reported : null
  } catch {
    return null
  }
}
