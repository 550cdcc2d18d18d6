import { type Contract, type OutputOf, type ParsedOf, limits, QuireError } from '@quire/contract'
import {
  knownMembers,
  findUpstream,
  unknownUpstream,
  type Upstream,
  spendRequest,
} from '../access/upstream.ts'
import { type Call } from '../../engine/call.ts'
import { pageOf } from '../../engine/paging.ts'
import { forward } from '../access/forward.ts'
import { ServedProxied } from '../../engine/served-proxied.ts'

type List = Contract['integrations']['list']

/** The access configurations that allow requests, without their URLs. Errors: `forbidden`. */
async function listIntegrations(call: Call, input: ParsedOf<List>): Promise<OutputOf<List>> {
  const stored = await call.store.records.list('accessConfiguration')
  const open = stored.flatMap(({ id, name, type, members }) => {
    // The redacted members are sufficient here: the URL and its paths are not secret.
    const { baseUrl, allowedMethods = [], allowedPaths = [] } = knownMembers({ name, type }, members)
    const isOpen = baseUrl !== undefined && allowedMethods.length > 0 && allowedPaths.length > 0
    return isOpen ? [{ id, name, type, allowedMethods, allowedPaths }] : []
  })
  return pageOf(open, input)
}

type ProxyInput = ParsedOf<Contract['integrations']['pass']>

/**
 * Sends a request to the upstream of an access configuration. Errors: `forbidden`, also for a
 * method or path that the configuration does not allow; `not_found`, `too_large`,
 * `too_many_requests`, `upstream_failed`, `upstream_timeout`.
 */
export async function pass(call: Call, input: ProxyInput): Promise<ServedProxied> {
  const upstream = await findUpstream(call, input.accessId)
  requireAllowed(upstream, input)
  await spendRequest(call, upstream)
  const { method, path, query, body } = input
  return new ServedProxied(
    await forward(call, upstream, {
      method,
      path,
      query,
      headers: headersOf(input),
      body: method === 'GET' || method === 'HEAD' ? undefined : body,
      totalMs: limits.proxiedTime,
      maxBytes: limits.proxiedBytes,
    }),
  )
}

function headersOf({ headers, body }: ProxyInput): Readonly<Record<string, string | undefined>> {
  return body?.type ? { 'content-type': body.type, ...headers } : headers
}

function requireAllowed(
  { id, allowedMethods, allowedPaths }: Upstream,
  { method, path }: Pick<ProxyInput, 'method' | 'path'>,
): void {
  if (allowedMethods.length === 0 || allowedPaths.length === 0) throw unknownUpstream(id)
  if (!allowedMethods.includes(method)) throw notAllowed(`${method} requests`)
  if (!allowedPaths.some((glob) => fitsGlob(`/${path}`, glob))) throw notAllowed(`the path /${path}`)
}

function notAllowed(what: string): QuireError {
  return new QuireError('forbidden', `The access configuration does not allow ${what}.`)
}

/**
 * Whether a path matches a glob: `*` matches anything within a segment, `**` any number of
 * segments, including none. Both begin with a slash. Cost: at most the product of both lengths.
 */
export function fitsGlob(path: string, glob: string): boolean {
  return fits(path.split('/'), glob.split('/'), {
    isStar: (part) => part === '**',
    isSame: (part, pattern) =>
      fits(part.split(''), pattern.split(''), { isStar: (one) => one === '*', isSame: (a, b) => a === b }),
  })
}

interface Comparison {
  readonly isStar: (pattern: string) => boolean
  readonly isSame: (given: string, pattern: string) => boolean
}

/**
 * On a mismatch, backtracks only to the last star: anything that an earlier star could match, the
 * last one can match, too.
 */
function fits(given: readonly string[], pattern: readonly string[], { isStar, isSame }: Comparison): boolean {
  let at = 0
  let next = 0
  let star = -1
  let matched = 0
  while (at < given.length) {
    const one = pattern[next]
    if (one !== undefined && isStar(one)) {
      star = next
      matched = at
      next += 1
    } else if (one !== undefined && isSame(given[at] ?? '', one)) {
      at += 1
      next += 1
    } else if (star >= 0) {
      matched += 1
      at = matched
      next = star + 1
    } else return false
  }
  return pattern.slice(next).every(isStar)
}

export { listIntegrations as list }
