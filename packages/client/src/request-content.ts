import type { EncodedRequest } from '@quire/contract/client'
import type { Options } from 'ky'
import type { OutgoingCall } from './repeatable.ts'

/** The method, headers and body of a request. */
export async function contentOf(
  request: EncodedRequest,
  { route, options }: OutgoingCall,
  { headers, token }: { headers: Readonly<Record<string, string>> | undefined; token: string | undefined },
): Promise<Options> {
  const { range } = options
  const body = await bodyOf(request)
  return {
    method: request.method,
    headers: {
      accept: acceptOf({ route, options }),
      ...(range && { range: `bytes=${range.start}-${range.end ?? ''}` }),
      ...headers,
      ...request.headers,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body }),
  }
}

function acceptOf({ route: { answer }, options }: Pick<OutgoingCall, 'route' | 'options'>): string {
  if (answer === 'bytes') return options.accept ?? '*/*'
  if (answer === 'proxied') return '*/*'
  return answer === 'events' ? 'text/event-stream' : 'application/json'
}

/** The code for files is loaded with the first file. */
async function bodyOf(
  request: EncodedRequest,
): Promise<string | Blob | FormData | ReadableStream<Uint8Array> | undefined> {
  return request.file ? (await import('./file-body.ts')).fileBodyOf(request, request.file) : request.body
}
