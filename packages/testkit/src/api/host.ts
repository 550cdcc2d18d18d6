import type { Api, Binary, ErrorCode } from '@quire/contract'
import { systemIdentity, type Quire } from '@quire/core'
import type { FakeOutbound } from '@quire/core/memory'
import type { Store } from '@quire/core/ports'
import type { FixedClock } from '@quire/core/memory'

/** A transport through which the API can be called: in process, over HTTP, or the mock. */
export interface ApiHost {
  /** The engine behind it, with which the suite creates accounts and checks the state. */
  readonly quire: Quire
  readonly store: Store
  readonly clock: FixedClock
  /** The engine's requests to other services: see `fakeTargets`. */
  readonly outbound: FakeOutbound
  /** The API for a service account, a user or an anonymous caller, over this transport. */
  connect(caller: Caller): Api
  /** Closes everything that the host opened. */
  close(): Promise<void>
}

/** The credentials of a service account. */
export interface Credentials {
  readonly kind: 'service'
  readonly id: string
  readonly secret: string
}

/** The caller of an API. Users have tokens of the `testIssuer`. */
export type Caller =
  | Credentials
  | { readonly kind: 'user'; readonly id: string }
  | { readonly kind: 'anonymous' }

/** Opens a host on an empty store. */
export type OpenApiHost = () => Promise<ApiHost>

/** A role for a test: the input of `roles.create` without the name. */
type Rights = Omit<Parameters<Api['roles']['create']>[0], 'name'>

/** An administrator of everything. */
export const everything: Rights = { bundles: ['bundle.administrator'] }

/** All keys except one that hardly any operation needs: role lists apply to holders of these. */
export const nearlyEverything: Rights = {
  ...everything,
  overrides: { grant: [], revoke: ['admin.repositories.crawl'] },
}

/**
 * The operations that a run of the suite called successfully, and the errors that it got from them.
 */
export interface Coverage {
  readonly called: Set<string>
  /**
   * The lists that returned a count, and those that did not although the caller did not decline it.
   */
  readonly counted: Set<string>
  readonly uncounted: Set<string>
  readonly errors: Set<string>
}

/** A host with the APIs that tests need. */
export interface Bench {
  readonly scope: ApiHost
  /** The engine in process, called as the system, to prepare and check data. */
  readonly system: Api
  /** The API of the host, as an administrator. No role list limits a caller who holds every key. */
  readonly api: Api
  /** The same without one key, so that role lists limit this caller. */
  readonly limited: Api
  /** The API of the host for a new account with these permissions. */
  readonly as: (rights: Rights) => Promise<Api>
  /** The API of the host for an existing user, and for an anonymous caller. */
  readonly asUser: (id: string) => Api
  readonly anonymous: Api
  /** The engine in process, as the caller of the given API: the same except for the transport. */
  readonly inProcess: (api: Api) => Promise<Api>
}

let accounts = 0

/** A bench on a newly opened host. Calls through it are recorded in `coverage`. */
export async function openBench(open: OpenApiHost, coverage: Coverage): Promise<Bench> {
  const scope = await open()
  const system = scope.quire.as(systemIdentity('suite'))
  const as = async (rights: Rights) => noting(scope.connect(await newAccount(system, rights)), coverage)
  return {
    scope,
    system,
    as,
    asUser: (id) => noting(scope.connect({ kind: 'user', id }), coverage),
    anonymous: noting(scope.connect({ kind: 'anonymous' }), coverage),
    inProcess: (api) => inProcess(scope, api),
    api: await as(everything),
    limited: await as(nearlyEverything),
  }
}

async function inProcess({ quire }: ApiHost, api: Api): Promise<Api> {
  const { identity } = await api.auth.myPermissions()
  return quire.as({ kind: 'service', id: identity.id })
}

/** Creates a service account with its own role. */
export async function newAccount(system: Api, rights: Rights): Promise<Credentials & { roleId: string }> {
  accounts += 1
  const role = await system.roles.create({ name: `Role ${accounts}`, ...rights })
  const { id, secret } = await system.serviceAccounts.create({
    name: `Account ${accounts}`,
    roles: [role.id],
  })
  return { kind: 'service', id, secret, roleId: role.id }
}

type AnyCall = (...args: unknown[]) => Promise<unknown>

/** The same API, recording calls and errors. */
function noting(api: Api, { called, counted, uncounted, errors }: Coverage): Api {
  const groups = Object.entries(api).map(([group, operations]) => {
    const noted = Object.entries<AnyCall>(operations as unknown as Record<string, AnyCall>).map(
      ([name, call]) => {
        const operation = `${group}.${name}`
        const note = (error: unknown) => {
          errors.add(`${operation} ${codeOf(error)}`)
          return error
        }
        const wrapped: AnyCall = async (...args) => {
          try {
            const answer = await call(...args)
            called.add(operation)
            if (isList(answer) && !isWithoutCount(args[0]))
              (typeof answer.count === 'number' ? counted : uncounted).add(operation)
            return isBinary(answer) ? notingBytes(answer, note) : answer
          } catch (error) {
            throw note(error)
          }
        }
        return [name, wrapped] as const
      },
    )
    return [group, Object.fromEntries(noted)] as const
  })
  // The same names with functions of the same shape.
  return Object.fromEntries(groups) as unknown as Api
}

/** Whether an answer is that of a list. */
export function isList(answer: unknown): answer is { items: unknown[]; count?: unknown } {
  return typeof answer === 'object' && answer !== null && 'items' in answer && Array.isArray(answer.items)
}

function isWithoutCount(input: unknown): boolean {
  return typeof input === 'object' && input !== null && 'skipCount' in input && input.skipCount === true
}

function isBinary(answer: unknown): answer is Binary {
  return typeof answer === 'object' && answer !== null && 'bytes' in answer && 'stream' in answer
}

/** The same bytes: in process, some errors occur only while they are read. */
function notingBytes(binary: Binary, note: (error: unknown) => unknown): Binary {
  const bytes = () =>
    binary.bytes().catch((error: unknown) => {
      throw note(error)
    })
  return Object.create(binary, { bytes: { value: bytes } }) as Binary
}

/** The code of a Quire error; `other` for everything else. */
export function codeOf(error: unknown): ErrorCode | 'other' {
  return typeof error === 'object' && error !== null && 'code' in error ? (error.code as ErrorCode) : 'other'
}
