import { untilAccepted } from '../server/until-accepted.ts'
import type { Exchange } from './exchanges.ts'

/** What a host answered, without what its connection adds. */
export interface Recorded {
  readonly name: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A host that is being tested. */
export interface Served {
  /** Where it is mounted, without a slash at its end. */
  readonly baseUrl: string
  readonly account: { readonly id: string; readonly secret: string }
  readonly ask: (request: Request) => Promise<Response>
}

// Headers of a connection, of a framework, and of Node's own framing.
const ofHosts = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding', 'x-powered-by'])

/** Sends the exchanges one after the other. */
export async function record(host: Served, exchanges: readonly Exchange[]): Promise<readonly Recorded[]> {
  const token = await tokenOf(host)
  const ids = new Map<string, string>()
  const recorded: Recorded[] = []
  for (const exchange of exchanges) {
    // A slow machine may ask for a pause after the first requests, for which code is compiled.
    const response = await untilAccepted(() => host.ask(requestOf(host, exchange, { token, ids })))
    const body = await response.text()
    const id = idIn(body) ?? response.headers.get('location')
    if (id !== null) ids.set(exchange.name, id.replace(host.baseUrl, ''))
    ids.set(`etag:${exchange.name}`, response.headers.get('etag') ?? '')
    recorded.push({ name: exchange.name, status: response.status, ...stripped(host, response, body) })
  }
  return recorded
}

interface Known {
  readonly token: string
  readonly ids: ReadonlyMap<string, string>
}

function requestOf(host: Served, exchange: Exchange, { token, ids }: Known): Request {
  const { method, isAnonymous, headers = {}, body, name } = exchange
  const filled = (text: string) =>
    text.replaceAll(/\{([\w:]+)\}/g, (_, key: string) => ids.get(key) ?? '/nowhere')
  const own = Object.entries(headers).map(([header, value]) => [header, filled(value)])
  return new Request(`${host.baseUrl}${filled(exchange.path)}`, {
    method,
    redirect: 'manual',
    headers: {
      'accept-encoding': 'identity',
      'x-request-id': name.replaceAll(/\W+/g, '-').slice(0, 100),
      ...(isAnonymous ? {} : { authorization: `Bearer ${token}` }),
      ...Object.fromEntries(own),
    },
    ...(body !== undefined && { body: new TextEncoder().encode(body) }),
  })
}

async function tokenOf({ ask, baseUrl, account }: Served): Promise<string> {
  const { id, secret } = account
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret })
  const answer = await ask(new Request(`${baseUrl}/oauth2/token`, { method: 'POST', body }))
  const { access_token: token } = (await answer.json()) as { access_token: string }
  return token
}

function idIn(body: string): string | null {
  return /"id":"([^"]+)"/.exec(body)?.[1] ?? null
}

/** Headers and body with a base that is the same for all hosts, without a length that is exact. */
function stripped({ baseUrl }: Served, { headers }: Response, body: string) {
  const general = (text: string) =>
    text.replaceAll(baseUrl, '<base>').replaceAll(new URL(baseUrl).origin, '<origin>')
  const length = String(new TextEncoder().encode(body).length)
  const isFraming = (name: string, value: string) =>
    ofHosts.has(name) || (name === 'content-length' && value === length)
  const kept = [...headers]
    .filter(([name, value]) => !isFraming(name, value))
    .map(([name, value]) => [name, general(value)])
  return { headers: Object.fromEntries(kept) as Recorded['headers'], body: general(body) }
}
