import type { AnyContent, Api, CallOptions, Item, ItemOf, TypedInput, TypeNameOf } from '@quire/contract'
import { QuireError, type Route } from '@quire/contract/client'
import { routes } from '@quire/contract/routes'
import { createSend, type Send } from './connection.ts'
import type { ClientOptions } from './options.ts'
import { createTokenSource, type TokenSource } from './token-source.ts'
import { untilAborted } from './until-aborted.ts'
import type { UploadOptions } from './upload.ts'

/** The typed API over HTTP, with what a client does in several calls. */
export type Client<C extends object = AnyContent> = Omit<Api<C>, 'assets'> & {
  readonly assets: Api<C>['assets'] & ClientAssets<C>
}

/** What a client does with files beside the operations. */
export interface ClientAssets<C extends object = AnyContent> {
  /** Uploads a file in pieces, resumable, and answers the item that it became (TUS 1.0). */
  upload: Upload<C>
  /** The file of an asset as it comes. */
  download(input: DownloadInput, options?: CallOptions): Promise<ReadableStream<Uint8Array>>
}

/** Without types the item is as the contract has it. */
type Upload<C extends object> = string extends keyof C
  ? (file: Blob, options: UploadOptions) => Promise<Item>
  : <K extends TypeNameOf<C> = TypeNameOf<C>>(
      file: Blob,
      options: TypedInput<UploadOptions, C, K>,
    ) => Promise<ItemOf<C, NoInfer<K>>>

/** Which file to download. */
export type DownloadInput = Omit<Parameters<Api['assets']['get']>[0], 'rendition'>

/**
 * The typed API over HTTP: the same operations, answers and errors as the engine in your process. Holds nothing but a token.
 * `createClient<ContentTypes>(…)` types the fields of items too; `quire types` writes that interface.
 * Errors (of every operation): QuireError as in process, with the request id; `unavailable` when there is no answer; TokenError
 * when no token is given; the signal's reason when the call was aborted.
 * @example
 * const quire = createClient({ baseUrl: 'https://content.example.org', auth: { clientId, clientSecret } })
 * const item = await quire.items.getBySlug({ configId: 'magazine', slug: 'ink-that-remembers' })
 */
export function createClient<C extends object = AnyContent>(options: ClientOptions): Client<C> {
  const send = createSend(options)
  const tokens = createTokenSource(options.auth, send)
  const api = mapValues(routes, (operations) =>
    mapValues<Route, unknown>(
      operations,
      (route) =>
        (input: object = {}, callOptions: CallOptions = {}) =>
          named(callOnce({ send, tokens }, { route, input, options: callOptions }), callOptions),
    ),
  )
  // The one border where the contract's types meet the loop over its route table, which a test compares with the contract.
  return withFiles(api as unknown as Api) as unknown as Client<C>
}

function withFiles(api: Api): Client {
  const files: ClientAssets = {
    // Loaded when the first file is sent: most pages send none.
    upload: async (file, options) => (await import('./upload.ts')).uploadFile(api, file, options),
    download: async (input, options) =>
      (await api.assets.get({ ...input, rendition: 'original' }, options)).stream(),
  }
  return { ...api, assets: { ...api.assets, ...files } }
}

interface Connection {
  readonly send: Send
  readonly tokens: TokenSource
}

/** A call with a token; when that is refused, once more with another. */
async function callOnce({ send, tokens }: Connection, call: Parameters<Send>[0]): Promise<unknown> {
  const { signal } = call.options
  signal?.throwIfAborted()
  if (!needsToken(call.route)) return send(call)
  const token = await untilAborted(tokens.current(), signal)
  try {
    return await send(call, token)
  } catch (error) {
    if (token === undefined || !(error instanceof QuireError) || error.code !== 'unauthorized') throw error
    const another = await untilAborted(tokens.replace(token), signal)
    if (another === undefined) throw error
    return send(call, another)
  }
}

/** Every error has a request id. One that the service never saw says so: it names the call in your log, not in the service's. */
async function named<T>(work: Promise<T>, { requestId }: CallOptions): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof QuireError)
      error.requestId ??= requestId ?? `client-${Math.random().toString(36).slice(2)}`
    throw error
  }
}

/** Tokens are got and checked without a token. */
function needsToken(route: Route): boolean {
  return route.path.startsWith('/api/') || route.path.startsWith('/sites/')
}

function mapValues<T, R>(object: Readonly<Record<string, T>>, change: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]))
}
