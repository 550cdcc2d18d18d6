import type { AnyContent, Api } from '@quire/contract'
import { createQuire, systemIdentity, type Quire, type QuireOptions } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import type { HttpHandler } from 'msw'
import { quireHandlers } from './handlers.ts'

/** The options of a mock. All of them have defaults. */
export interface MockQuireOptions<C extends object = AnyContent> extends Partial<QuireOptions> {
  /**
   * Base URL of the mocked service, for the client.
   *
   * @default 'http://quire.test'
   * @example '/quire' // in a browser, on the page's own origin
   */
  readonly baseUrl?: string
  /**
   * Permission bundles of the service account.
   *
   * @default ['bundle.administrator']
   */
  readonly bundles?: readonly string[]
  /**
   * Prepares the engine before the first call: content types, repositories, items.
   *
   * @default undefined // empty
   * @example (quire) => quire.repositories.create({ name: 'magazine' }).then(() => undefined)
   */
  readonly prepare?: (quire: Api<C>) => Promise<void>
}

/** An engine in memory behind request handlers. */
export interface MockQuire<C extends object = AnyContent> {
  /** For `setupServer` or `setupWorker`. */
  readonly handlers: HttpHandler[]
  /** For `createClient`. */
  readonly baseUrl: string
  /** For `createClient`: a service account with the bundles of the options. */
  readonly auth: { readonly clientId: string; readonly clientSecret: string }
  /**
   * The engine in process, with the permissions of the system, which may do everything. For
   * preparing and inspecting data.
   */
  readonly api: Api<C>
  /** The engine itself. */
  readonly quire: Quire
}

/**
 * Creates an engine in memory, a service account and request handlers, for tests and storybooks, in
 * Node and in a browser. Mocks share no data. Set `clock` and `ids` to get the same times and ids
 * in every run. `createMockQuire<ContentTypes>()` also types the fields of items.
 * @example
 * const mock = await createMockQuire()
 * const server = setupServer(...mock.handlers)
 * server.listen()
 * const quire = createClient({ baseUrl: mock.baseUrl, auth: mock.auth })
 */
export async function createMockQuire<C extends object = AnyContent>(
  options: MockQuireOptions<C> = {},
): Promise<MockQuire<C>> {
  const {
    baseUrl = 'http://quire.test',
    bundles = ['bundle.administrator'],
    prepare,
    ...environment
  } = options
  // Links of the engine lead to the page's own origin.
  const address = new URL(baseUrl, globalThis.location?.href).href.replace(/\/+$/, '')
  const quire = createQuire({ store: createMemoryStore(), ...environment, baseUrl: address })
  const api = quire.as<C>(systemIdentity('mock'))
  const role = await api.roles.create({ name: 'Mock', bundles: [...bundles] })
  const { id, secret } = await api.serviceAccounts.create({ name: 'Mock', roles: [role.id] })
  await prepare?.(api)
  const auth = { clientId: id, clientSecret: secret }
  return { handlers: quireHandlers({ quire, baseUrl }), baseUrl, auth, api, quire }
}
