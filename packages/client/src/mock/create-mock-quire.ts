import type { AnyContent, Api } from '@quire/contract'
import { createQuire, systemIdentity, type Quire, type QuireOptions } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import type { HttpHandler } from 'msw'
import { quireHandlers } from './handlers.ts'

/** What a mock is made of: everything has a default. */
export interface MockQuireOptions<C extends object = AnyContent> extends Partial<QuireOptions> {
  /**
   * Where the mocked service is, as the client is told.
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
   * Fills the engine before anybody calls: types, repositories, items.
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
  /** The engine in process as the system, which may do everything: to prepare and to look. */
  readonly api: Api<C>
  /** The engine itself. */
  readonly quire: Quire
}

/**
 * An engine in memory, a service account and handlers in one call: for tests and storybooks, in Node and in a browser. Each mock
 * is a world of its own. Give `clock` and `ids` to have the same times and ids in every run. `createMockQuire<ContentTypes>()` types the fields
 * of items too.
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
  const quire = createQuire({ store: createMemoryStore(), ...environment, baseUrl })
  const api = quire.as<C>(systemIdentity('mock'))
  const role = await api.roles.create({ name: 'Mock', bundles: [...bundles] })
  const { id, secret } = await api.serviceAccounts.create({ name: 'Mock', roles: [role.id] })
  await prepare?.(api)
  const auth = { clientId: id, clientSecret: secret }
  return { handlers: quireHandlers({ quire, baseUrl }), baseUrl, auth, api, quire }
}
