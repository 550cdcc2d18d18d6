import { spawn, type ChildProcess } from 'node:child_process'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { quireCommand } from './quire-command.ts'

const root = dirname(dirname(import.meta.dirname))

// Log lines that are kept of a server: enough to find the cause of its latest answer.
const keptLines = 5000

/** How to start a server in its own process. */
export interface ServerCommand {
  /** Arguments of `node`. */
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Milliseconds within which the server must be ready. Default: 20 000. */
  readonly timeout?: number
  /**
   * Where the server listens, if it serves under another address. Default: the address that it
   * reports.
   */
  readonly url?: string
}

/** A server that runs in its own process. */
export interface ServerProcess {
  readonly url: string
  readonly pid: number
  /** Milliseconds from the spawn to the ready line. */
  readonly startedIn: number
  /** Its latest output lines. */
  readonly lines: readonly string[]
  /** Null while the server runs; then how it ended. */
  ended(): string | null
  /** Resolves when the server has ended, with how it ended. */
  readonly end: Promise<string>
  /** Ends it at once with SIGKILL. */
  kill(): Promise<void>
  /** Stops it with SIGTERM, and kills it if it is still running after 10 s. */
  stop(): Promise<void>
}

/** The arguments of `node` that run the service on a data folder, on a free port of 127.0.0.1. */
export function serveArgs(dataFolder: string): string[] {
  return [...quireCommand, 'serve', '--host=127.0.0.1', '--port=0', `--data=${dataFolder}`]
}

/**
 * Starts a server and waits for its line `{"event":"ready","url":…}`. Errors: it ended or took too
 * long; the message contains its output.
 */
export async function startServer({
  args,
  env,
  timeout = 20_000,
  url: listens,
}: ServerCommand): Promise<ServerProcess> {
  const start = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  let ended: string | null = null
  const end = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      ended = signal ?? `exit ${code}`
      resolve(ended)
    })
  })
  const url = await readyUrl(child, { lines, end, timeout })
  const kill = async () => {
    child.kill('SIGKILL')
    await end
  }
  return {
    url: listens ?? url,
    pid: child.pid ?? 0,
    startedIn: performance.now() - start,
    lines,
    end,
    ended: () => ended,
    kill,
    stop: () => stop(child, end),
  }
}

async function stop(child: ChildProcess, end: Promise<string>): Promise<void> {
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
  child.kill('SIGTERM')
  await end
  clearTimeout(timer)
}

interface Watch {
  readonly lines: string[]
  readonly end: Promise<string>
  readonly timeout: number
}

async function readyUrl(child: ChildProcess, { lines, end, timeout }: Watch): Promise<string> {
  let timer: NodeJS.Timeout | undefined
  const ready = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue
      createInterface({ input: stream }).on('line', (line) => {
        if (lines.push(line) > keptLines) lines.splice(0, keptLines / 2)
        if (line.includes('"ready"')) resolve(urlOf(line))
      })
    }
  })
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`the server was not ready in ${timeout} ms`)), timeout)
  })
  const gone = end.then((how) => {
    throw new Error(`the server ended before it was ready (${how}):\n${lines.slice(-20).join('\n')}`)
  })
  try {
    return await Promise.race([ready, late, gone])
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  } finally {
    clearTimeout(timer)
    gone.catch(() => undefined)
  }
}

function urlOf(line: string): string {
  const { url }: { url: string } = JSON.parse(line.slice(line.indexOf('{')))
  return url
}
