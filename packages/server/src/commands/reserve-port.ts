import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { codeOf, OperatorError } from '../operator-error.ts'

export interface Location {
  readonly host: string
  readonly port: number
  /** Prefix of the names of its flags. Default: none. */
  readonly flags?: string
}

/** A port that is reserved until the server listens on it. */
export interface ReservedPort {
  readonly port: number
  release(): Promise<void>
}

/**
 * Reserves a port before anything else is done: the address of the service must be known before the
 * engine is opened, and a port in use must not leave a data folder behind.
 * Errors: OperatorError naming the port.
 */
export async function reservePort(location: Location): Promise<ReservedPort> {
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenProblem(error, location)))
    server.listen(location, resolve)
  })
  // The reservation must not keep the process alive when the start fails elsewhere.
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

/** Translates an error of `listen` into an OperatorError. Other errors are returned unchanged. */
export function listenProblem(error: unknown, { host, port, flags: prefix = '' }: Location): unknown {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} of ${host} is in use: stop the process that uses it, or choose another with --${prefix}port.`,
    EACCES: `Port ${port} of ${host} needs more privileges: choose one above 1023 with --${prefix}port.`,
    EADDRNOTAVAIL: `This machine has no address ${host}: choose another with --${prefix}host.`,
    ENOTFOUND: `The host name ${host} was not found: choose another with --${prefix}host.`,
  }
  const reason = reasons[codeOf(error) ?? '']
  return reason === undefined ? error : new OperatorError(reason, { cause: error })
}
