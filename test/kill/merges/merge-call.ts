import { setTimeout as wait } from 'node:timers/promises'
import { Connection, ConnectionLost, type HttpAnswer } from '../../server/connection.ts'
import type { Served } from '../cycle.ts'
import { packageName, repository } from './seed-content.ts'

// A merge of 5 000 changes takes some seconds. The rest is reserve for a busy machine.
const timeout = 120_000

/** The path of the package. */
export const packagePath = `/api/content/management/packages/${repository}/${packageName}`

/** The outcome of a merge request. */
export interface Sent {
  /** Null if the server was gone before the answer was complete. */
  readonly answer: HttpAnswer | null
  /** Milliseconds until then. */
  readonly took: number
}

/**
 * Sends the merge and reads its answer. `sending` is called once the operating system has the
 * bytes.
 */
export async function sendMerge({ url, token }: Served, sending?: () => void): Promise<Sent> {
  const connection = new Connection(url)
  const start = performance.now()
  const head = `POST ${packagePath}/merge HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n`
  const bytes = Buffer.from(`${head}content-type: application/json\r\ncontent-length: 2\r\n\r\n{}`)
  try {
    const answer = await connection.send({ bytes, timeout, ...(sending && { sending }) })
    return { answer, took: performance.now() - start }
  } catch (error) {
    if (!(error instanceof ConnectionLost)) throw error
    return { answer: null, took: performance.now() - start }
  } finally {
    connection.close()
  }
}

/** Sends the merge to a stopped server and kills it, so that the request is never read. */
export async function sendUnread(served: Served): Promise<Sent> {
  process.kill(served.server.pid, 'SIGSTOP')
  return sendMerge(served, () => process.kill(served.server.pid, 'SIGKILL'))
}

/**
 * Sends the merge. Kills the server after a number of milliseconds, or immediately after an earlier
 * answer.
 */
export async function sendAndKill(served: Served, milliseconds: number): Promise<Sent> {
  const kill = () => void served.server.kill()
  let timer: NodeJS.Timeout | undefined
  const sent = await sendMerge(served, () => {
    timer = setTimeout(kill, milliseconds)
  })
  clearTimeout(timer)
  await served.server.kill()
  return sent
}

/**
 * Sends the merge to a server that ends itself at a point. Errors: the server did not get to the
 * point.
 */
export async function sendUntil(served: Served, point: string): Promise<Sent> {
  const { server } = served
  const sent = await sendMerge(served)
  const how = await Promise.race([server.end, wait(5000, 'did not end', { ref: false })])
  // Its last output may arrive after its end.
  for (let tries = 0; tries < 100 && !didReach(server.lines, point); tries++) await wait(10)
  if (how !== 'SIGKILL' || !didReach(server.lines, point)) {
    await server.kill()
    throw new Error(`the server did not get to "${point}" (${how}):\n${server.lines.slice(-20).join('\n')}`)
  }
  return sent
}

function didReach(lines: readonly string[], point: string): boolean {
  return lines.includes(JSON.stringify({ event: 'killed', point }))
}
