import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

const [KiB, MiB] = [1024, 1024 * 1024]

/** A service and its client. */
export interface Caller {
  readonly url: string
  readonly token: string
  readonly repository: string
}

/** Clients that use assets until they are stopped. */
export interface AssetClients {
  /** The hash of each acknowledged asset, by its id. */
  readonly stored: ReadonlyMap<string, string>
  /** How often calls ended in which way. */
  readonly ends: ReadonlyMap<End, number>
  /** Violations, one line each. */
  readonly findings: readonly string[]
  /** Resolves once each client has finished its current call. */
  stop(): Promise<void>
}

/** `refused`: with 503; `broken off`: by the server, before the end; `left`: by the client. */
type End = 'sent' | 'read' | 'refused' | 'broken off' | 'left'

/** Sizes of uploads: most fit into one piece, some do not. */
const sizes = [20 * KiB, 200 * KiB, 40 * KiB, MiB, 20 * KiB, 200 * KiB] as const

const [senders, readers] = [1, 2]

/** Milliseconds between two calls of a client. */
const pause = 300

/**
 * Milliseconds between two clients that disconnect. New ones come whatever happened to the earlier
 * ones.
 */
const betweenLeavers = 200

/** Most milliseconds that such a client waits. */
const longestStay = 300

interface State extends Caller {
  readonly stored: Map<string, string>
  readonly findings: string[]
  readonly isOver: () => boolean
  readonly note: (end: End) => void
}

/**
 * Starts clients that upload, clients that download, and clients that start either and disconnect.
 */
export function startAssetClients(caller: Caller): AssetClients {
  const [stored, ends, findings] = [new Map<string, string>(), new Map<End, number>(), new Array<string>()]
  let isOver = false
  const note = (end: End) => void ends.set(end, (ends.get(end) ?? 0) + 1)
  const state: State = { ...caller, stored, findings, note, isOver: () => isOver }
  const all = Promise.all([
    ...Array.from({ length: senders }, (_, index) => again(state, (epoch) => send(state, epoch + index))),
    ...Array.from({ length: readers }, () => again(state, () => read(state))),
    leaveAgainAndAgain(state),
  ])
  return {
    stored,
    ends,
    findings,
    async stop() {
      isOver = true
      await all
    },
  }
}

async function again({ isOver }: State, call: (epoch: number) => Promise<void>): Promise<void> {
  for (let epoch = 0; !isOver(); epoch += 1) {
    await call(epoch)
    await sleep(pause)
  }
}

async function leaveAgainAndAgain(state: State): Promise<void> {
  const stays: Promise<void>[] = []
  for (let epoch = 0; !state.isOver(); epoch += 1) {
    const leaving = AbortSignal.timeout(Math.floor(Math.random() * longestStay))
    stays.push(epoch % 3 === 0 ? send(state, epoch, leaving) : read(state, leaving))
    await sleep(betweenLeavers)
  }
  await Promise.all(stays)
}

async function send(state: State, epoch: number, signal?: AbortSignal): Promise<void> {
  const bytes = randomBytes(sizes[epoch % sizes.length] ?? 0)
  const body = new FormData()
  body.append('file', new File([bytes], `${epoch}.bin`))
  await ask(state, { path: '', init: { method: 'POST', body, signal: signal ?? null } }, async (response) => {
    const { id }: { id: string } = JSON.parse(await response.text())
    state.stored.set(id, hashOf(bytes))
    return 'sent'
  })
}

async function read(state: State, signal?: AbortSignal): Promise<void> {
  const [id, hash] = [...state.stored][Math.floor(Math.random() * state.stored.size)] ?? []
  if (id === undefined) return
  const asked = { path: `/${id}/original`, init: { signal: signal ?? null } }
  await ask(state, asked, async (response) => {
    if (hashOf(await response.bytes()) !== hash) state.findings.push(`${id} came whole with wrong bytes`)
    return 'read'
  })
}

interface Requested {
  /** Relative to the assets of the repository. */
  readonly path: string
  readonly init: RequestInit
}

/** Sends a request and records how it ended. */
async function ask(
  { url, token, repository, note, findings }: State,
  { path, init }: Requested,
  take: (response: Response) => Promise<End>,
): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  try {
    const response = await fetch(`${url}/api/assets/${repository}${path}`, { ...init, headers })
    if (response.ok) return note(await take(response))
    const text = await response.text()
    if (response.status !== 503)
      findings.push(`${init.method ?? 'GET'} ${path} is ${response.status}: ${text}`)
    note('refused')
  } catch {
    note(init.signal?.aborted ? 'left' : 'broken off')
  }
}

/** Downloads an asset. */
export function download(
  { url, token, repository }: Caller,
  id: string,
  signal: AbortSignal | null = null,
): Promise<Response> {
  const headers = { authorization: `Bearer ${token}` }
  return fetch(`${url}/api/assets/${repository}/${id}/original`, { headers, signal })
}

/** The hash of an asset as it is served. Errors: any status but 200. */
export async function servedHash(caller: Caller, id: string): Promise<string> {
  const response = await download(caller, id)
  if (!response.ok) throw new Error(`${id} is ${response.status}: ${await response.text()}`)
  return hashOf(await response.bytes())
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
