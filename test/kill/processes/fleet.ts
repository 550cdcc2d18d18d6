import { administratorEnv } from '../../server/api-access.ts'
import { serveReady, type Served } from '../cycle.ts'
import { freePorts } from './free-ports.ts'

/** Several processes that serve the same content. */
export interface Fleet {
  readonly size: number
  /** A token that all of them take. */
  readonly token: string
  /** Where a process listens, or did before it was ended. */
  urlOf(index: number): string
  /** Ends a process with SIGKILL and starts it again. */
  kill(index: number): Promise<void>
  /** Ends a process with SIGTERM and starts it again; answers how it ended. */
  roll(index: number): Promise<string>
  /** Ends all of them with SIGTERM; answers how each ended. */
  stop(): Promise<readonly string[]>
  /** Ends all of them at once. */
  destroy(): Promise<void>
}

/** How often a process may fail to start: its connection is ended, too. */
const mostStarts = 5

/** Starts so many processes together, each by the same arguments of `node`, at a port of its own. Errors: that one of them does not start. */
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
