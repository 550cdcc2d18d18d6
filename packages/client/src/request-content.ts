import type { BytesIn } from '@quire/contract'
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

async function bodyOf({ body, file, isForm }: EncodedRequest): Promise<string | Blob | FormData | undefined> {
  if (!file) return body
  const blob = await blobOf(file)
  if (!isForm) return blob
  const form = new FormData()
  form.append('data', body ?? '{}')
  form.append('file', blob, file.name ?? 'file')
  return form
}

/**
 * A file as a Blob, which every fetch can send. Anything that is not a Blob is read into memory.
 */
async function blobOf(file: BytesIn): Promise<Blob> {
  if (file instanceof Blob) return file
  const chunks: BlobPart[] = []
  // Node and every browser that streams uploads can iterate over streams.
  for await (const chunk of file.stream() as AsyncIterable<Uint8Array<ArrayBuffer>>) chunks.push(chunk)
  return new Blob(chunks, { type: file.type ?? '' })
}
