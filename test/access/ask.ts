import type { Endpoint } from '@quire/contract'
import type { EncodedRequest } from '@quire/contract/codec'
import { encodeRequest } from '@quire/contract/tus'

/** What came back. */
export interface Seen {
  readonly status: number
  /** Status, headers and body: equal texts are equal answers but for the time. */
  readonly whole: string
}

/** What is asked, by whom. */
export interface AccessRequest {
  readonly endpoint: Endpoint
  readonly input: unknown
  readonly token: string | null
  /** Default: that of the endpoint. */
  readonly method?: 'HEAD'
}

/** Sends a valid input as a client would, each time with the same request id. */
export async function ask(address: string, { endpoint, input, token, method }: AccessRequest): Promise<Seen> {
  const request = encodeRequest(endpoint, input, { requestId: 'matrix' })
  const response = await fetch(`${address}${request.path}`, {
    method: method ?? request.method,
    redirect: 'manual',
    headers: { ...request.headers, ...(token !== null && { authorization: `Bearer ${token}` }) },
    body: bodyOf(request),
  })
  // How its connection goes on depends on how much of a body had come by then.
  const passing = ['date', 'connection', 'keep-alive']
  const headers = [...response.headers].filter(([name]) => !passing.includes(name))
  const text = await (endpoint.answer === 'events' && response.ok ? begun(response) : response.text())
  return { status: response.status, whole: JSON.stringify([response.status, headers, text]) }
}

/** What a stream holds when it is opened: all that comes before its first sign of life. */
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
