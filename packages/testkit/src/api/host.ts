import type { Api, Binary, ErrorCode } from '@quire/contract'
import { systemIdentity, type Quire } from '@quire/core'
import type { FakeOutbound } from '@quire/core/memory'
import type { Store } from '@quire/core/ports'
import type { FixedClock } from '../clock.ts'

/** Somewhere the one API can be called: in process, over HTTP, through the mock. */
export interface ApiHost {
  /** The engine behind it: the suite makes accounts and looks at the state with it. */
  readonly quire: Quire
  readonly store: Store
  readonly clock: FixedClock
  /** What the engine sends to others: see `fakeTargets`. */
  readonly outbound: FakeOutbound
  /** The API for a service account, a user or nobody, as this place gives it. */
  connect(caller: Caller): Api
  /** Ends everything the place opened. */
  close(): Promise<void>
}

/** What a service account signs in with. */
export interface Credentials {
  readonly kind: 'service'
  readonly id: string
  readonly secret: string
}

/** Who calls an API: users come with tokens of the `testIssuer`. */
export type Caller =
  | Credentials
  | { readonly kind: 'user'; readonly id: string }
  | { readonly kind: 'anonymous' }

/** Opens a place on an empty store. */
export type OpenApiHost = () => Promise<ApiHost>

/** A role for a test: what `roles.create` takes, but for the name. */
type Rights = Omit<Parameters<Api['roles']['create']>[0], 'name'>

/** An administrator of everything. */
export const everything: Rights = { bundles: ['bundle.administrator'] }

/** All keys but one that next to nothing asks for: role lists hold for whoever has these. */
export const nearlyEverything: Rights = {
  ...everything,
  overrides: { grant: [], revoke: ['admin.repositories.crawl'] },
}

/** Which operations a run of the suite has called with success, and which errors it has seen from them. */
export interface Coverage {
  readonly called: Set<string>
  /** Which lists were answered with their count, and which without though nobody asked to do without. */
  readonly counted: Set<string>
  readonly uncounted: Set<string>
  readonly errors: Set<string>
}

/** A place with what tests ask of it. */
export interface Bench {
  readonly scope: ApiHost
  /** The engine in process, as the system: to prepare and to look. */
  readonly system: Api
  /** The API of the place as an administrator: no role list closes anything to whoever holds every key. */
  readonly api: Api
  /** The same without one key of a kind: role lists close to this one what they do not let through. */
  readonly limited: Api
  /** The API of the place for a new account with these rights. */
  readonly as: (rights: Rights) => Promise<Api>
  /** The API of the place for a user that exists, and for nobody. */
  readonly asUser: (id: string) => Api
  readonly anonymous: Api
  /** The engine in process as whoever calls the API of the place: it shares everything but the wire. */
  readonly inProcess: (api: Api) => Promise<Api>
}

let accounts = 0

/** A bench on a newly opened place; what is called through it is noted in `coverage`. */
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

/** A service account with a role of its own. */
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

/** The same API, noting what was called and what went wrong. */
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

/** Whether it is the answer of a list. */
export function isList(answer: unknown): answer is { items: unknown[]; count?: unknown } {
  return typeof answer === 'object' && answer !== null && 'items' in answer && Array.isArray(answer.items)
}

function isWithoutCount(input: unknown): boolean {
  return typeof input === 'object' && input !== null && 'skipCount' in input && input.skipCount === true
}

function isBinary(answer: unknown): answer is Binary {
  return typeof answer === 'object' && answer !== null && 'bytes' in answer && 'stream' in answer
}

/** The same bytes: in process some errors come only once they are read. */
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
