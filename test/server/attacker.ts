// A thread that repeats one attack, so that sending it does not delay the reader that runs in
// parallel.
import { parentPort, workerData } from 'node:worker_threads'
import { attacks } from './loop-attacks.ts'

/**
 * The input of the thread. It answers with the statuses that it received, with 0 for a closed
 * connection.
 */
export interface AttackOrder {
  readonly name: string
  readonly url: string
  readonly token: string | undefined
  readonly forMs: number
  /** The prepared content, by the names in paths. */
  readonly made: Readonly<Record<string, string>>
}

const { name, url, token, forMs, made } = workerData as AttackOrder
const attack = attacks.find((each) => each.name === name)
if (!attack) throw new Error(`There is no attack "${name}".`)
const { method = 'POST', type, body } = attack
const path = attack.path.replaceAll(/\{(\w+)\}/g, (_, part: string) => made[part] ?? '')
const headers = {
  ...(token !== undefined && { authorization: `Bearer ${token}` }),
  ...(type !== undefined && { 'content-type': type }),
}
const bytes = body && Buffer.from(body())
const statuses: number[] = []
const end = performance.now() + forMs
while (performance.now() < end) {
  // If a request is refused before its body is read, the connection may be closed.
  const answer = await fetch(`${url}${path}`, { method, headers, ...(bytes && { body: bytes }) }).catch(
    () => null,
  )
  await answer?.arrayBuffer().catch(() => null)
  statuses.push(answer?.status ?? 0)
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(statuses)
