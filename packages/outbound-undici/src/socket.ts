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
 * A connection to one of these addresses and no other; its name stays that of the target, for the certificate and for whoever serves many names.
 * The signal ends the attempt. Errors: OutboundFailure `unreachable`; the reason of the signal.
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
  // Stays: an error between the connection and who takes it over would end the process.
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
    // An address is connected to without asking this, and is the one that was checked.
    lookup: only(addresses),
    autoSelectFamily: true,
    noDelay: true,
  }
  if (!isSecure) return connectPlain(options)
  return connectSecure({
    ...options,
    // RFC 6066 §3: a name without its last dot, and never an address.
    ...(isIP(host) === 0 && { servername: host.replace(/\.$/, '') }),
    ALPNProtocols: ['http/1.1'],
    // Said outright: an environment that switches certificates off has no say here.
    rejectUnauthorized: true,
  })
}

/** A resolver that knows nothing but some addresses. */
function only(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (_name, options, callback) => {
    const [first] = found
    if (options.all) callback(null, found)
    else callback(null, first?.address ?? '', first?.family)
  }
}
