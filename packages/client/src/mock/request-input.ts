import type { Endpoint } from '@quire/contract'
import {
  bringsBytes,
  decodeBody,
  decodeInput,
  decodeProxiedRequest,
  decodeTusRequest,
  multipartParts,
  createQueryParser,
  QuireError,
} from '@quire/contract/codec'

const multipart = 'multipart/form-data'
const mediaTypes = { json: 'application/json', form: 'application/x-www-form-urlencoded' }

/**
 * The input of a request, decoded as the server decodes it. `params` are the values from its path.
 */
export async function inputOf(
  endpoint: Endpoint,
  request: Request,
  params: Readonly<Record<string, string>>,
): Promise<unknown> {
  if (endpoint.body === 'tus') return tusInput(endpoint, request, params)
  if (endpoint.body === 'message') return messageInput(request, params)
  const query = createQueryParser(endpoint)(new URL(request.url).search)
  const lastEventId = request.headers.get('last-event-id')
  const header = (name: string) => request.headers.get(name)
  return decodeInput(endpoint, { params, query, body: await bodyOf(endpoint, request), lastEventId, header })
}

async function messageInput(request: Request, params: Readonly<Record<string, string>>): Promise<unknown> {
  const { url, method, headers } = request
  const body = await request.blob()
  return decodeProxiedRequest({
    params,
    method,
    query: new URL(url).search.slice(1),
    header: (name) => headers.get(name),
    body: body.size > 0 ? body : undefined,
  })
}

async function tusInput(
  endpoint: Endpoint,
  request: Request,
  params: Readonly<Record<string, string>>,
): Promise<unknown> {
  const header = (name: string) => request.headers.get(name)
  const bytes = bringsBytes(endpoint, header) && { file: await request.blob() }
  return { ...params, ...decodeTusRequest(endpoint, header), ...bytes }
}

async function bodyOf(endpoint: Endpoint, request: Request): Promise<unknown> {
  const sent = request.headers.get('content-type') ?? ''
  if (endpoint.body === 'file') return { file: await request.blob() }
  const takesParts = endpoint.body === 'jsonOrMultipart' || endpoint.body === 'multipart'
  if (takesParts && sent.startsWith(multipart)) return partsOf(endpoint, request, sent)
  const text = await request.text()
  requireType(endpoint, text, sent)
  return text === '' ? undefined : decodeBody(endpoint, text)
}

async function partsOf(endpoint: Endpoint, request: Request, sent: string): Promise<unknown> {
  const bytes = new Uint8Array(await request.arrayBuffer())
  const { data, file } = await multipartParts(sent, bytes)
  await requireDataFirst(sent, bytes)
  const members = decodeBody(endpoint, data ?? '')
  return file ? { ...Object(members), file } : members
}

/** The server stores a file as it arrives, so it needs the data first. Errors: `invalid`. */
async function requireDataFirst(contentType: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const form = await new Response(bytes, { headers: { 'content-type': contentType } }).formData()
  const names = [...form.keys()]
  if (names.join() !== 'file,data') return
  throw new QuireError('invalid', 'data: must come before file, which is stored as it arrives', {
    issues: [{ path: 'data', message: 'must come before file' }],
  })
}

/** Errors: `unsupported_media_type`. */
function requireType({ body }: Endpoint, text: string, sent: string): void {
  const type = body === 'form' ? mediaTypes.form : mediaTypes.json
  if (body !== 'multipart' && (text === '' || sent.split(';')[0] === type)) return
  const others = body === 'jsonOrMultipart' ? ` or ${multipart}` : ''
  const wanted = body === 'multipart' ? multipart : `${type}${others}`
  throw new QuireError('unsupported_media_type', `Send Content-Type: ${wanted}.`)
}
