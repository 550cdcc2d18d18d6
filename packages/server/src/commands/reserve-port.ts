import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { codeOf, OperatorError } from '../operator-error.ts'

/** Where to listen. */
export interface Location {
  readonly host: string
  readonly port: number
  /** What the names of its flags begin with. Default: nothing. */
  readonly flags?: string
}

/** A port that is held until it is listened on. */
export interface ReservedPort {
  readonly port: number
  release(): Promise<void>
}

/**
 * Takes a port before anything else is done: the address of the service must be known before the engine is opened, and a port in
 * use must not leave a data folder behind. Errors: OperatorError naming the port.
 */
export async function reservePort(location: Location): Promise<ReservedPort> {
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenProblem(error, location)))
    server.listen(location, resolve)
  })
  // A start that fails elsewhere ends, whether or not the port was let go.
  server.unref()
  const { port } = server.address() as AddressInfo
  return {
    port,
    release: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
      }),
  }
}

/** An error of `listen` in words; others as they are. */
export function listenProblem(error: unknown, { host, port, flags: prefix = '' }: Location): unknown {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} of ${host} is in use: stop what uses it, or choose another with --${prefix}port.`,
    EACCES: `Port ${port} of ${host} needs more rights: choose one above 1023 with --${prefix}port.`,
    EADDRNOTAVAIL: `This machine has no address ${host}: choose another with --${prefix}host.`,
    ENOTFOUND: `There is no address ${host}: choose another with --${prefix}host.`,
  }
  const reason = reasons[codeOf(error) ?? '']
  return reason === undefined ? error : new OperatorError(reason, { cause: error })
}
