import type {
  AnyContent,
  Api,
  AssetsGetInput,
  CallOptions,
  Item,
  ItemOf,
  TypedInput,
  TypeNameOf,
} from '@quire/contract/api'
import { QuireError, type Route } from '@quire/contract/client'
import { routes } from '@quire/contract/routes'
import { createSend, type Send } from './connection.ts'
import type { ClientOptions } from './options.ts'
import { createTokenSource, type TokenSource } from './token-source.ts'
import { untilAborted } from './until-aborted.ts'
import type { UploadOptions } from './upload.ts'

/** The typed API over HTTP, with additional methods that take several calls. */
export type Client<C extends object = AnyContent> = Omit<Api<C>, 'assets'> & {
  readonly assets: Api<C>['assets'] & ClientAssets<C>
}

/** The methods of a client for files, in addition to the operations. */
export interface ClientAssets<C extends object = AnyContent> {
  /** Uploads a file in pieces, resumably (TUS 1.0), and returns the item that it became. */
  upload: Upload<C>
  /** Streams the file of an asset. */
  download(input: DownloadInput, options?: CallOptions): Promise<ReadableStream<Uint8Array>>
}

/** Without content types, the item is as the contract declares it. */
type Upload<C extends object> = string extends keyof C
  ? (file: Blob, options: UploadOptions) => Promise<Item>
  : <K extends TypeNameOf<C> = TypeNameOf<C>>(
      file: Blob,
      options: TypedInput<UploadOptions, C, K>,
    ) => Promise<ItemOf<C, NoInfer<K>>>

/** The asset to download, and which version of it. */
export type DownloadInput = Omit<AssetsGetInput, 'rendition'>

/**
 * Creates the typed API over HTTP, with the same operations, results and errors as the engine in
 * your process. Its only state is a token. `createClient<ContentTypes>(…)` also types the fields of
 * items; `quire types` writes that interface.
 * Errors (of every operation): QuireError as in process, with the request id; `unavailable` if
 * there is no response; TokenError if the service issues no token; the signal's reason if the call
 * was aborted.
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
          callNamed({ send, tokens }, { route, input, options: callOptions }),
    ),
  )
  // A loop over the route table cannot have the contract's types. A test compares the table with
  // the contract.
  return withFiles(api as unknown as Api) as unknown as Client<C>
}

function withFiles(api: Api): Client {
  const files: ClientAssets = {
    // Loaded with the first upload, because most pages never upload a file.
    upload: async (file, options) =>
      (await import('./upload.ts')).uploadFile({ ...api, QuireError, untilAborted }, file, options),
    download: async (input, options) =>
      (await api.assets.get({ ...input, rendition: 'original' }, options)).stream(),
  }
  return { ...api, assets: { ...api.assets, ...files } }
}

interface Connection {
  readonly send: Send
  readonly tokens: TokenSource
}

/** Sends a call with a token. If the token is rejected, sends it once more with another one. */
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

/**
 * Sends a call, and gives every error a request id. An id `client-…` was made here and is only in
 * your log, not in the service's.
 */
async function callNamed(connection: Connection, call: Parameters<Send>[0]): Promise<unknown> {
  try {
    return await callOnce(connection, call)
  } catch (error) {
    if (error instanceof QuireError) error.requestId ??= call.options.requestId ?? `client-${Math.random()}`
    throw error
  }
}

/** Whether a call needs a token: requesting and verifying tokens does not. */
function needsToken(route: Route): boolean {
  return /^\/(?:api|sites)\//.test(route.path)
}

function mapValues<T, R>(object: Readonly<Record<string, T>>, change: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]))
}
