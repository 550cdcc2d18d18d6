import { safeProgram } from '@quire/contract/codec'
import type { Origin, Quire, TraceHeaders } from '@quire/core'
import { cookieOf, type HeaderOf } from './authentication.ts'

/** Where a request comes from, besides its headers. */
export interface Sent extends Pick<Origin, 'meter'> {
  readonly address: string | undefined
  /** The raw text of a signed body. */
  readonly signedText: string | undefined
}

/** The origin of a request, and the raw values that signatures and uploads need. */
export function originOf(header: HeaderOf, { address, meter, signedText: body }: Sent): Origin {
  const cookie = header('cookie') ?? undefined
  const browser = cookie === undefined ? undefined : cookieOf(cookie, 'login')
  const trace = traceHeadersOf(header)
  const uploadMetadata = header('upload-metadata') ?? undefined
  // A boolean of RFC 9651. `quire mcp` sends it, whose account need not be that of an agent.
  const isAgent = header('quire-agent') === '?1'
  return {
    ...(address !== undefined && { address }),
    ...(trace && { trace }),
    ...(meter && { meter }),
    ...(browser !== undefined && { browser }),
    ...(isAgent && { isAgent }),
    ...(body !== undefined && { body }),
    ...(uploadMetadata !== undefined && { uploadMetadata }),
  }
}

/** What the entry about a call that is refused before its input is read says of it. */
export function refusalContext(
  header: HeaderOf,
  { requestId, address }: { readonly requestId: string; readonly address: string | undefined },
): Pick<Parameters<Quire['permit']>[0], 'options' | 'origin'> {
  const program = safeProgram(header('quire-program'))
  return {
    options: { requestId, ...(program !== undefined && { program }) },
    origin: { ...(address !== undefined && { address }) },
  }
}

/** The headers of the trace of a request, unchecked. */
export function traceHeadersOf(header: HeaderOf): TraceHeaders | undefined {
  const traceparent = header('traceparent') ?? undefined
  if (traceparent === undefined) return undefined
  const tracestate = header('tracestate') ?? undefined
  return { traceparent, ...(tracestate !== undefined && { tracestate }) }
}
