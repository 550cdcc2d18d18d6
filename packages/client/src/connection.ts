import type { AnswerInfo } from '@quire/contract/api'
import {
  decodePlainResponse,
  decodeSpecialResponse,
  encodePlainRequest,
  encodeSpecialRequest,
  foreignError,
  isStreamed,
  QuireError,
  type EncodedRequest,
  type ReceivedResponse,
  type SpecialForm,
} from '@quire/contract/client'
import ky, { HTTPError, type Options } from 'ky'
import type { ClientOptions } from './options.ts'
import { contentOf } from './request-content.ts'
import { isRepeatable, type OutgoingCall } from './repeatable.ts'

/**
 * Sends one call, with or without a bearer token, and retries it if that is safe. Errors:
 * QuireError or TokenError of the service; `unavailable` if there is no response; the signal's
 * reason when aborted.
 */
export type Send = (call: OutgoingCall, token?: string) => Promise<unknown>

/** Creates the function that sends calls with ky. Errors: TypeError for an invalid `baseUrl`. */
export function createSend(options: ClientOptions): Send {
  const base = options.baseUrl.replace(/\/+$/, '')
  if (!URL.canParse(`${base}/`, globalThis.location?.href)) {
    throw new TypeError(`baseUrl is not a URL: ${options.baseUrl}`)
  }
  return async (call, token) => {
    const form = await formOf(call)
    const request = encoded(call, form)
    const leaving = new AbortController()
    const signal = signalOf(call, leaving)
    const { response, text } = await exchange(base + request.path, call, {
      ...retrying(options, call),
      ...(await contentOf(request, call, { headers: options.headers, token })),
      ...(signal && { signal }),
    })
    const { status, headers } = response
    const header = (name: string) => headers.get(name)
    const value =
      text === undefined
        ? await streamedOf(call, response, () => leaving.abort())
        : decoded(call, { status, header, text }, form)
    call.options.onAnswer?.(infoOf(header))
    return value
  }
}

function encoded(call: OutgoingCall, form: SpecialForm | undefined): EncodedRequest {
  return form ? encodeSpecialRequest(form, call) : encodePlainRequest(call.route, call.input, call.options)
}

function decoded(
  { route }: OutgoingCall,
  received: ReceivedResponse,
  form: SpecialForm | undefined,
): unknown {
  return form ? decodeSpecialResponse(form, route, received) : decodePlainResponse(route, received)
}

/** Calls with files, proxied and signed ones, and those for tokens have forms of their own, loaded with the first one. */
async function formOf({ route: { body } }: OutgoingCall): Promise<SpecialForm | undefined> {
  if (body === 'json') return undefined
  return (await import('@quire/contract/special-forms')).specialForms[body]
}

/** The signal that ends a call: its own, and for a stream also the one that leaving it aborts. */
function signalOf({ route, options: { signal } }: OutgoingCall, leaving: AbortController) {
  if (route.answer !== 'events') return signal
  return signal ? AbortSignal.any([signal, leaving.signal]) : leaving.signal
}

/**
 * The value of a response that is read as a stream. The code for each form is loaded with its first
 * response. It imports nothing that is loaded before: a bundler would put that into further files,
 * which every page would load.
 */
async function streamedOf(call: OutgoingCall, response: Response, end: () => void): Promise<unknown> {
  const { route, options } = call
  if (route.answer === 'bytes') return (await import('./binary.ts')).binaryOf(response)
  if (route.answer === 'proxied') return (await import('./proxied.ts')).proxiedOf(response)
  const { body, status, headers } = response
  if (!body || !headers.get('content-type')?.startsWith('text/event-stream')) {
    end()
    throw foreignError(route, { status, header: (name) => headers.get(name) })
  }
  const { eventsOf } = await import('./events.ts')
  const failure = (what: string, cause: unknown) => unavailable(call, what, cause)
  return eventsOf({ body, headers, signal: options.signal, end, failure })
}

function infoOf(header: ReceivedResponse['header']): AnswerInfo {
  const etag = header('etag')?.replace(/^(?:W\/)?"|(?:-(?:br|gzip))?"$/g, '') ?? null
  return { etag, replayed: header('idempotency-replayed') === 'true' }
}

function retrying({ fetch, timeoutMs = 30_000, retry = {} }: ClientOptions, call: OutgoingCall): Options {
  const { limit = 2, backoffMs = 300, maxRetryAfterMs = 30_000 } = retry
  return {
    // Sending a file has no time limit: if it stalls, the caller's signal has to end it.
    timeout: 'file' in call.input || call.route.answer === 'proxied' ? false : timeoutMs,
    // A response of the upstream is a result, whatever its status.
    throwHttpErrors: call.route.answer !== 'proxied',
    fetch: async (input, init) => {
      try {
        const response = await (fetch ?? globalThis.fetch)(input, init)
        return isStreamed(call.route) ? response : await wholeOf(response)
      } catch (error) {
        // Offline, this cannot be loaded either.
        throw await import('./refused-origin.ts').then(
          ({ failureOf }) => failureOf({ input, error }, QuireError),
          () => error,
        )
      }
    },
    retry: {
      limit: isRepeatable(call) ? limit : 0,
      methods: ['get', 'put', 'head', 'delete', 'post', 'patch'],
      statusCodes: [429, 502, 503, 504],
      delay: (attempt) => backoffMs * 2 ** (attempt - 1),
      jitter: true,
      shouldRetry: ({ error }) => (asksToWaitLonger(error, maxRetryAfterMs) ? false : undefined),
    },
  }
}

/**
 * A response whose body has arrived, so that the time limit and the retries also cover one that
 * breaks off.
 */
async function wholeOf(response: Response): Promise<Response> {
  // A status without a body (204, 304) only accepts null.
  return new Response((await response.text()) || null, response)
}

function asksToWaitLonger(error: Error, most: number): boolean {
  const retryAfter = (error instanceof HTTPError && error.response.headers.get('retry-after')) || ''
  // Seconds or a date; NaN for neither.
  return (Number(retryAfter) * 1000 || Date.parse(retryAfter) - Date.now()) > most
}

interface Exchanged {
  readonly response: Response
  /** Absent if the body is still to be read as a stream. */
  readonly text?: string
}

async function exchange(url: string, call: OutgoingCall, options: Options): Promise<Exchanged> {
  const { signal } = call.options
  try {
    // The codec parses JSON, so ky must leave the body of an error as text.
    const response = await ky(url, { ...options, parseJson: (text) => text })
    return isStreamed(call.route) && isAnswer(call, response)
      ? { response }
      : { response, text: await response.text() }
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    if (error instanceof QuireError) throw error
    if (!(error instanceof HTTPError)) {
      // Node's own code, such as ECONNREFUSED, is the cause of the cause.
      const code = (error as { cause?: { cause?: { code?: string } } }).cause?.cause?.code
      throw unavailable(call, `got no response: ${code ?? String(error)}: check baseUrl, timeoutMs`, error)
    }
    return { response: error.response, text: typeof error.data === 'string' ? error.data : '' }
  }
}

/** Whether the response is a stream to read, and not an error of the service. */
function isAnswer({ route }: OutgoingCall, { ok, headers }: Response): boolean {
  return route.answer === 'proxied' ? headers.has('quire-upstream-status') : ok
}

function unavailable({ route }: OutgoingCall, what: string, cause: unknown): QuireError {
  return new QuireError('unavailable', `${route.method} ${route.path} ${what}.`, { cause })
}
