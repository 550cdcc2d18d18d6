import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

export interface JsonRead {
  readonly token: string
  /** Addresses to read in turn. */
  readonly urls: readonly string[]
}

/** A client that reads JSON at a steady rate. */
export interface JsonReader {
  /**
   * Reads for some milliseconds and returns how many each response took. Errors: a status other
   * than 200.
   */
  read(ms: number): Promise<readonly number[]>
  close(): Promise<void>
}

/**
 * Milliseconds between requests, whether or not the previous one was answered: requests during a
 * stall count as well.
 */
const pace = 8

/** Reads in a thread of its own: other work of the test would delay the responses. */
export function openJsonReader(workerData: JsonRead): JsonReader {
  const worker = new Worker(new URL(import.meta.url), { workerData, execArgv: [] })
  return {
    async read(ms) {
      const { promise, resolve, reject } = Promise.withResolvers<readonly number[]>()
      worker.once('message', resolve).once('error', reject)
      worker.postMessage(ms, [])
      return promise.finally(() => worker.off('message', resolve).off('error', reject))
    },
    close: async () => void (await worker.terminate()),
  }
}

if (!isMainThread && parentPort) {
  const port = parentPort
  const reading: JsonRead = workerData
  const agent = new Agent({ keepAlive: true })
  port.on(
    'message',
    (ms: number) => void readFor(reading, agent, ms).then((times) => port.postMessage(times)),
  )
}

async function readFor({ token, urls }: JsonRead, agent: Agent, ms: number): Promise<number[]> {
  const answers: Promise<number>[] = []
  const end = performance.now() + ms
  for (let count = 0; performance.now() < end; count += 1) {
    answers.push(
      timeOf(urls[count % urls.length] ?? '', { agent, headers: { authorization: `Bearer ${token}` } }),
    )
    await sleep(pace)
  }
  return Promise.all(answers)
}

function timeOf(url: string, options: Parameters<typeof get>[1]): Promise<number> {
  return new Promise((resolve, reject) => {
    const begun = performance.now()
    const request = get(url, options, (response) => {
      const { statusCode } = response
      if (statusCode !== 200) reject(new Error(`${url} is ${statusCode}`))
      response.resume().once('end', () => resolve(performance.now() - begun))
    })
    request.once('error', reject)
  })
}
