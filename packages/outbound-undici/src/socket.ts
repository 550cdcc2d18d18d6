import {
  isIP,
  isIPv6,
  type LookupFunction,
  type NetConnectOpts,
  connect as connectPlain,
  type Socket,
} from 'node:net'
import { connect as connectSecure } from 'node:tls'
import { unreachable } from './failures.ts'
import type { Target } from './target.ts'

/**
 * Connects to one of these addresses and no other. The host name remains that of the target, for
 * the certificate and for servers with many names. The signal aborts the attempt.
 * Errors: OutboundFailure `unreachable`; the reason of the signal.
 */
export function openSocket(
  target: Target,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<Socket> {
  const opened = Promise.withResolvers<Socket>()
  const socket = begin(target, addresses)
  const stop = () => socket.destroy(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  socket.once(target.isSecure ? 'secureConnect' : 'connect', () => {
    signal.removeEventListener('abort', stop)
    opened.resolve(socket)
  })
  // This listener stays: an error before the connection is taken over would end the process.
  socket.on('error', (error) => {
    signal.removeEventListener('abort', stop)
    opened.reject(signal.aborted ? signal.reason : unreachable(target.host, error))
  })
  if (signal.aborted) stop()
  return opened.promise
}

function begin({ host, port, isSecure }: Target, addresses: readonly string[]): Socket {
  const options: NetConnectOpts = {
    host,
    port,
    // Not called for a literal address, which is the one that was checked.
    lookup: only(addresses),
    autoSelectFamily: true,
    noDelay: true,
  }
  if (!isSecure) return connectPlain(options)
  return connectSecure({
    ...options,
    // RFC 6066 §3: a name without its final dot, and never an address.
    ...(isIP(host) === 0 && { servername: host.replace(/\.$/, '') }),
    ALPNProtocols: ['http/1.1'],
    // Explicit, so that an environment variable cannot turn off certificate checks.
    rejectUnauthorized: true,
  })
}

/** A resolver that only returns these addresses. */
function only(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (_name, options, callback) => {
    const [first] = found
    if (options.all) callback(null, found)
    else callback(null, first?.address ?? '', first?.family)
  }
}
