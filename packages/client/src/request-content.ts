import type { CallOptions } from '@quire/contract/api'
import type { EncodedRequest, Route } from '@quire/contract/client'
import type { Options } from 'ky'
import type { OutgoingCall } from './repeatable.ts'

/** The method, headers and body of a request. */
export async function contentOf(
  request: EncodedRequest,
  { route, options }: OutgoingCall,
  { headers, token }: { headers: Readonly<Record<string, string>> | undefined; token: string | undefined },
): Promise<Options> {
  const { range } = options
  // The code for files is loaded with the first file.
  const body = request.file
    ? await (await import('./file-body.ts')).fileBodyOf(request, request.file)
    : request.body
  return {
    method: request.method,
    headers: {
      accept: acceptOf(route, options),
      ...(range && { range: `bytes=${range.start}-${range.end ?? ''}` }),
      ...headers,
      ...request.headers,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body }),
  }
}

function acceptOf({ answer }: Route, { accept = '*/*' }: CallOptions): string {
  if (answer === 'bytes') return accept
  if (answer === 'proxied') return '*/*'
  return answer === 'events' ? 'text/event-stream' : 'application/json'
}
