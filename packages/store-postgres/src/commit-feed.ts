import type { Changes } from '@quire/store-sql'
import { Client } from 'pg'
import { type Target, clientConfig, patience } from './connect.ts'
import { type ListenedPeers, peersChannelOf } from './peers.ts'
import { translate } from './postgres-error.ts'

/** What a process sends to the others with a commit that changed data they cache. */
export interface CommitNotice extends Changes {
  /** The number of the commit; consecutive. */
  readonly number: number
}

/** Keeps cached data in step with the commits of all processes. */
export interface CommitFeed {
  /** Whether other processes' changes currently arrive. */
  isReceived(): boolean
  /** Brings the cache to the state of commit `number`. Call while no other process can commit. */
  catchUp(number: number): Promise<void>
  /** Announces the number of the next commit, so that it is not mistaken for another process's. */
  announce(number: number): void
  /** Reports the outcome of the announced commit. If it is unknown, the cache is dropped. */
  complete(outcome: 'committed' | 'unknown'): void
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
 * error. Changes must be visible within a second.
 */
const BEAT_MS = 1_000

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
  const memory = createMemory(refresh)
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
    isReceived: () => listener !== null && memory.isFollowed(),
    catchUp: (number) => memory.catchUp(number),
    announce: (number) => memory.announce(number),
    complete: (outcome) => memory.complete(outcome),
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
function createMemory(refresh: (changes: Changes | 'all') => Promise<void>) {
  let known = NONE
  let announced = NONE
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
    if (number > known && number !== announced) take(number, 'all')
    await pending
  }
  return {
    giveUp,
    follow,
    isFollowed: () => known !== NONE,
    subscribe({ number, ...changes }: CommitNotice) {
      if (number <= known || number === announced) return
      take(number, number === known + 1 ? changes : 'all')
    },
    async catchUp(number: number) {
      await pending
      if (number === known) return
      await refresh('all')
      known = number
    },
    announce(number: number) {
      announced = number
    },
    complete(outcome: 'committed' | 'unknown') {
      if (outcome === 'unknown') giveUp()
      else if (announced !== NONE) known = announced
      announced = NONE
    },
  }
}

interface Listener {
  /** Resolves once the connection no longer works. */
  readonly lost: Promise<void>
  end(): Promise<void>
}

/** Connects and listens. The cache is up to date once this resolves. */
async function listen(target: Target, memory: Memory, peers: ListenedPeers): Promise<Listener> {
  const client = new Client({ ...clientConfig(target, patience.listen), query_timeout: BEAT_MS * 2 })
  const { promise: lost, resolve } = Promise.withResolvers<void>()
  let beat: NodeJS.Timeout | undefined
  const follow = async () => {
    const { rows } = await client.query<{ number: number }>('SELECT number FROM commits')
    await memory.follow(rows[0]?.number ?? NONE)
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
    return { lost, end }
  } catch (error) {
    await end()
    throw translate(error)
  }
}

/**
 * Parses a notice of this or another process. Null for anything else, because every client of the
 * database can send notifications.
 */
function parseReported(payload = ''): CommitNotice | null {
  try {
    const reported: CommitNotice | null = JSON.parse(payload)
    return typeof reported?.number === 'number' && Array.isArray(reported.records) ? reported : null
  } catch {
    return null
  }
}
