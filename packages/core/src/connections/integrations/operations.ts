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

/** The access configurations that let requests through, without where they lead. Errors: `forbidden`. */
async function listIntegrations(call: Call, input: ParsedOf<List>): Promise<OutputOf<List>> {
  const stored = await call.store.records.list('accessConfiguration')
  const open = stored.flatMap(({ id, name, type, members }) => {
    // What is shown of them holds all that is asked here: an address and its paths are no secrets.
    const { baseUrl, allowedMethods = [], allowedPaths = [] } = knownMembers({ name, type }, members)
    const isOpen = baseUrl !== undefined && allowedMethods.length > 0 && allowedPaths.length > 0
    return isOpen ? [{ id, name, type, allowedMethods, allowedPaths }] : []
  })
  return pageOf(open, input)
}

type ProxyInput = ParsedOf<Contract['integrations']['pass']>

/**
 * Passes a request on to the upstream of an access configuration, as far as that allows it.
 * Errors: `forbidden`, also for a method or path that it does not let through; `not_found`, `too_large`, `too_many_requests`,
 * `upstream_failed`, `upstream_timeout`.
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
  if (!allowedMethods.includes(method)) throw notLetThrough(`no ${method}`)
  if (!allowedPaths.some((glob) => fitsGlob(`/${path}`, glob))) throw notLetThrough(`nothing to /${path}`)
}

function notLetThrough(what: string): QuireError {
  return new QuireError('forbidden', `The access configuration lets ${what} through.`)
}

/**
 * Whether a path fits a glob: `*` stands for anything within a part, `**` for any parts, also none. Both begin with a slash.
 * Cost: the product of both lengths, whatever the glob says.
 */
export function fitsGlob(path: string, glob: string): boolean {
  return fits(path.split('/'), glob.split('/'), {
    isStar: (part) => part === '**',
    isSame: (part, wanted) =>
      fits(part.split(''), wanted.split(''), { isStar: (one) => one === '*', isSame: (a, b) => a === b }),
  })
}

interface Comparing {
  readonly isStar: (wanted: string) => boolean
  readonly isSame: (given: string, wanted: string) => boolean
}

/** Goes back to the last star alone: what an earlier one could take as well, the last one can. */
function fits(given: readonly string[], wanted: readonly string[], { isStar, isSame }: Comparing): boolean {
  let at = 0
  let next = 0
  let star = -1
  let inUse = 0
  while (at < given.length) {
    const want = wanted[next]
    if (want !== undefined && isStar(want)) {
      star = next
      inUse = at
      next += 1
    } else if (want !== undefined && isSame(given[at] ?? '', want)) {
      at += 1
      next += 1
    } else if (star >= 0) {
      inUse += 1
      at = inUse
      next = star + 1
    } else return false
  }
  return wanted.slice(next).every(isStar)
}

export { listIntegrations as list }
