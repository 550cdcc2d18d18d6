import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A server that runs, in a process of its own. */
export interface Running {
  readonly port: number
  readonly token: string
  readonly process: ChildProcess
}

/** Starts `bare-server` or `quire-server` on a database. */
export function startServer(name: 'bare-server' | 'quire-server', database: string): Promise<Running> {
  const child = fork(fileURLToPath(new URL(`./${name}.ts`, import.meta.url)), [database])
  return new Promise((resolve, reject) => {
    child.once('message', (started: { port: number; token: string }) =>
      resolve({ ...started, process: child }),
    )
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)))
  })
}

/** Ends a server and waits until it is gone. */
export async function stopServer({ process: child }: Running): Promise<void> {
  if (child.exitCode !== null) return
  await new Promise((resolve) => {
    child.once('exit', resolve)
    child.disconnect()
  })
}

/** A request as bytes on the wire. */
export function request(server: Running, line: string, body?: string): string {
  const head = `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${server.token}\r\n`
  if (body === undefined) return `${head}\r\n`
  return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}
