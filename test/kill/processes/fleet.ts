import { administratorEnv } from '../../server/api-access.ts'
import { serveReady, type Served } from '../cycle.ts'
import { freePorts } from './free-ports.ts'

/** Several processes that serve the same content. */
export interface Fleet {
  readonly size: number
  /** A token that all of them accept. */
  readonly token: string
  /** The URL of a process; also while it is stopped. */
  urlOf(index: number): string
  /** Kills a process with SIGKILL and starts it again. */
  kill(index: number): Promise<void>
  /** Stops a process with SIGTERM and starts it again. Returns how it ended. */
  roll(index: number): Promise<string>
  /** Stops all processes with SIGTERM. Returns how each ended. */
  stop(): Promise<readonly string[]>
  /** Kills all processes. */
  destroy(): Promise<void>
}

/** How often a start may fail, because its database connection may be ended, too. */
const mostStarts = 5

/**
 * Starts `size` processes together, all with the same arguments of `node`, each on its own port.
 * Errors: one of them does not start.
 */
export async function openFleet(size: number, args: readonly string[]): Promise<Fleet> {
  const ports = await freePorts(size)
  const begin = (index: number) => start(args, ports[index] ?? 0)
  const started = await Promise.allSettled(ports.map((port) => start(args, port)))
  const all = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const destroy = async () => void (await Promise.all(all.map(({ server }) => server.kill())))
  const failed = started.find((one) => one.status === 'rejected')
  if (failed) {
    await destroy()
    throw failed.reason
  }
  const at = (index: number): Served => {
    const served = all[index]
    if (!served) throw new RangeError(`There is no process ${index}.`)
    return served
  }
  const restart = async (index: number) => void (all[index] = await begin(index))
  return {
    size,
    token: at(0).token,
    urlOf: (index) => at(index).url,
    async kill(index) {
      await at(index).server.kill()
      await restart(index)
    },
    async roll(index) {
      const how = await stop(at(index))
      await restart(index)
      return how
    },
    stop: () => Promise.all(all.map(stop)),
    destroy,
  }
}

async function stop({ server }: Served): Promise<string> {
  await server.stop()
  return server.end
}

async function start(args: readonly string[], port: number): Promise<Served> {
  for (let starts = 1; ; starts++) {
    try {
      return await serveReady([...args, `--port=${port}`], administratorEnv, `http://127.0.0.1:${port}`)
    } catch (error) {
      if (starts === mostStarts) throw error
    }
  }
}
