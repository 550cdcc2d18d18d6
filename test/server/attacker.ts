// A thread that repeats one attack: what it takes to send it is not to keep the reader beside it waiting.
import { parentPort, workerData } from 'node:worker_threads'
import { attacks } from './loop-attacks.ts'

/** What the thread is given. It answers with the statuses that it got, 0 where the connection was closed on it. */
export interface AttackOrder {
  readonly name: string
  readonly url: string
  readonly token: string | undefined
  readonly forMs: number
  /** What was prepared, by the names in paths. */
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
  // Who is refused before its body is read may find the connection closed.
  const answer = await fetch(`${url}${path}`, { method, headers, ...(bytes && { body: bytes }) }).catch(
    () => null,
  )
  await answer?.arrayBuffer().catch(() => null)
  statuses.push(answer?.status ?? 0)
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(statuses)
