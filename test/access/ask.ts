import type { Endpoint } from '@quire/contract'
import { encodeRequest, type EncodedRequest } from '@quire/contract/codec'

export interface Seen {
  readonly status: number
  /** Status, headers and body as one text. Equal texts mean equal answers, except for the time. */
  readonly whole: string
}

/** A request, and its token. */
export interface AccessRequest {
  readonly endpoint: Endpoint
  readonly input: unknown
  readonly token: string | null
  /** Default: the method of the endpoint. */
  readonly method?: 'HEAD'
}

/** Sends a valid input as a client would, always with the same request id. */
export async function ask(address: string, { endpoint, input, token, method }: AccessRequest): Promise<Seen> {
  const request = encodeRequest(endpoint, input, { requestId: 'matrix' })
  const response = await fetch(`${address}${request.path}`, {
    method: method ?? request.method,
    redirect: 'manual',
    headers: { ...request.headers, ...(token !== null && { authorization: `Bearer ${token}` }) },
    body: bodyOf(request),
  })
  // The connection headers depend on how much of the body had arrived.
  const passing = ['date', 'connection', 'keep-alive']
  const headers = [...response.headers].filter(([name]) => !passing.includes(name))
  const text = await (endpoint.answer === 'events' && response.ok ? begun(response) : response.text())
  return { status: response.status, whole: JSON.stringify([response.status, headers, text]) }
}

/** The first events of a stream, up to its first heartbeat. */
async function begun({ body }: Response): Promise<string> {
  let text = ''
  if (!body) return text
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    text += piece
    if (text.endsWith('\n\n:\n\n')) return text
  }
  return text
}

function bodyOf({ body, file, isForm }: EncodedRequest): BodyInit | null {
  if (!(file instanceof Blob)) return body ?? null
  if (!isForm) return file
  const form = new FormData()
  form.append('data', body ?? '{}')
  form.append('file', file)
  return form
}
