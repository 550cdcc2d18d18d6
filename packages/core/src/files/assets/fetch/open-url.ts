import { limits, QuireError, type Repository } from '@quire/contract'
import { originMatcher } from '@quire/contract/codec'
import type { Call } from '../../../engine/call.ts'
import { invalid } from '../../../engine/check-input.ts'
import { errorOfRequest, openRequest } from '../../../engine/send.ts'
import type { Bytes, OutboundStream } from '../../../ports/index.ts'

/** A response with a file. Must be closed. */
export interface OpenedUrl {
  /** As the server names it; undefined if it does not. */
  readonly fileName: string | undefined
  /** Size in bytes; undefined if it is known only at the end. */
  readonly size: number | undefined
  /** Errors while it is read: `upstream_failed`, `upstream_timeout`; the reason of the caller's signal. */
  readonly bytes: Bytes
  close(): void
}

/** A URL, and the repository that names the origins to fetch from. */
interface UrlToOpen {
  readonly repository: Repository
  readonly url: string
}

/**
 * Sends a GET without credentials, and follows redirects. Every URL must be of an origin that the
 * repository names. Errors: `invalid` for a URL that cannot be fetched; `forbidden` for another
 * origin; `upstream_failed`, also for a status other than 200; `upstream_timeout`; the reason of the
 * caller's signal.
 */
export async function openUrl(call: Call, { repository, url: text }: UrlToOpen): Promise<OpenedUrl> {
  const problem = call.environment.outbound.problemOf(text)
  if (problem !== null) throw invalid([{ path: 'url', message: `cannot be fetched: ${problem}` }])
  const until = call.environment.clock.now() + limits.fetchTime
  const first = new URL(text)
  let url = first
  for (let redirects = 0; redirects <= limits.fetchRedirects; redirects += 1) {
    requireNamedOrigin(repository, url)
    const answer = await send(call, url, until)
    if (answer.status === 200) return openedUrl(call, { url, answer })
    answer.close()
    url = targetOf(call, { url, answer })
  }
  throw failed(first, `redirects more than ${limits.fetchRedirects} times`)
}

/** Errors: `forbidden` if the repository does not name the origin. */
function requireNamedOrigin({ name, settings }: Repository, { origin }: URL): void {
  // Repositories that were stored before these settings existed do not have them.
  const { assets }: { readonly assets?: Partial<Repository['settings']['assets']> } = settings
  if (originMatcher(assets?.fetchOrigins ?? [])(origin)) return
  throw new QuireError(
    'forbidden',
    `Files may not be fetched from ${origin}: add it to settings.assets.fetchOrigins of the repository "${name}" to allow it.`,
  )
}

/** A response to a GET of a URL. */
interface Answered {
  readonly url: URL
  readonly answer: OutboundStream
}

/** Resolves with the headers of a response. Errors: those of `openUrl`. */
async function send(call: Call, url: URL, until: number): Promise<OutboundStream> {
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), limits.proxiedIdle)
  try {
    return await openRequest(call, {
      url: url.href,
      method: 'GET',
      headers: [
        ['accept', '*/*'],
        ['user-agent', 'Quire-Assets'],
      ],
      body: null,
      connectMs: limits.proxiedConnect,
      totalMs: Math.max(1, until - call.environment.clock.now()),
      idleMs: limits.proxiedIdle,
      // Twice what is stored, so that our own limit comes first and is reported as such.
      maxAnswerBytes: 2 * limits.fileBytes,
      signal: call.signal ? AbortSignal.any([call.signal, silence.signal]) : silence.signal,
    })
  } catch (error) {
    if (!silence.signal.aborted || call.signal?.aborted) throw errorOf(call, url, error)
    const message = `${url.origin} sent no response for ${limits.proxiedIdle / 1000} s.`
    throw new QuireError('upstream_timeout', message, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

function errorOf(call: Call, { origin }: URL, error: unknown): unknown {
  return errorOfRequest(
    call,
    error,
    ({ message }) => `The file could not be fetched from ${origin}: ${message}`,
  )
}

function failed({ origin }: URL, what: string): QuireError {
  return new QuireError('upstream_failed', `The file could not be fetched: ${origin} ${what}.`)
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** The URL that a response redirects to. Errors: `upstream_failed`. */
function targetOf(call: Call, { url, answer }: Answered): URL {
  if (!redirects.has(answer.status)) throw failed(url, `answered with the status ${answer.status}`)
  const location = headerOf(answer, 'location')
  const target = location === undefined ? null : URL.parse(location, url)
  if (!target || call.environment.outbound.problemOf(target.href) !== null)
    throw failed(url, 'redirects to something that cannot be fetched')
  return target
}

/** Errors: `upstream_failed` for compressed bytes; the response is then closed. */
function openedUrl(call: Call, { url, answer }: Answered): OpenedUrl {
  // No encoding was requested, and nothing is decompressed.
  if ((headerOf(answer, 'content-encoding') ?? 'identity').toLowerCase() !== 'identity') {
    answer.close()
    throw failed(url, 'answered with compressed bytes, which were not requested')
  }
  const length = headerOf(answer, 'content-length') ?? ''
  return {
    fileName: nameInDisposition(headerOf(answer, 'content-disposition')) ?? nameInUrl(url),
    size: /^\d+$/.test(length) ? Number(length) : undefined,
    bytes: { [Symbol.asyncIterator]: () => translateErrors(call, { url, answer }) },
    close: () => answer.close(),
  }
}

/** Not a generator, because a waiting generator cannot be stopped. */
function translateErrors(call: Call, { url, answer }: Answered): AsyncIterator<Uint8Array> {
  const chunks = answer.body[Symbol.asyncIterator]()
  return {
    next: () =>
      chunks.next().catch((error: unknown) => {
        throw errorOf(call, url, error)
      }),
    async return() {
      await chunks.return?.()
      return { done: true, value: undefined }
    },
  }
}

function headerOf({ headers }: OutboundStream, name: string): string | undefined {
  return headers.find(([one]) => one === name)?.[1]
}

const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i
const quoted = /;\s*filename\s*=\s*"((?:[^"\\]|\\.)*)"/i
const bare = /;\s*filename\s*=\s*([^\s;"]+)/i

/**
 * The file name in a header `Content-Disposition` (RFC 6266), the one in UTF-8 if there are two;
 * undefined if there is none. Not made safe yet.
 */
function nameInDisposition(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const encoded = extended.exec(header)?.[1]
  const plain = quoted.exec(header)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? bare.exec(header)?.[1]
  return (encoded === undefined ? undefined : decoded(encoded)) ?? plain
}

/** The decoded last segment of a URL's path; undefined if it is empty. Not made safe yet. */
function nameInUrl({ pathname }: URL): string | undefined {
  const last = pathname.split('/').at(-1) ?? ''
  return last === '' ? undefined : (decoded(last) ?? last)
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
