import { QuireError, type Api } from '@quire/contract'
import { OperatorError } from '../operator-error.ts'
import { connect, type ConnectionOptions } from './connection.ts'

/** Options of `quire sign-in`, parsed. */
export interface SignInOptions extends ConnectionOptions {
  readonly create: boolean
  readonly role: readonly string[]
  readonly baseUrl: string
}

/**
 * Prints an address that signs a user in once. With `create`, a missing user is created with the
 * roles; an existing user keeps its own roles.
 * Errors: OperatorError for a user or a role that does not exist; QuireError for a disabled user.
 */
export async function signIn(email: string, options: SignInOptions): Promise<void> {
  const { create, role } = options
  if (role.length > 0 && !create)
    throw new OperatorError('--role is for a new user: add --create.', { exitCode: 2 })
  const connection = await connect(options, 'cli')
  try {
    const { api, client } = connection
    const id = await userFor(api, email, options)
    const { url, expiresAt } = await api.users.createSignInLink({ id })
    // A running service knows its own address.
    process.stdout.write(`${client ? url : at(options.baseUrl, url)}\n`)
    process.stderr.write(`The link signs ${id} in once, until ${new Date(expiresAt).toISOString()}.\n`)
  } finally {
    await connection.close()
  }
}

async function userFor(api: Api, email: string, { create, role }: SignInOptions): Promise<string> {
  const existing = await findUser(api, email)
  if (existing !== null) {
    if (role.length > 0) process.stderr.write(`The user ${existing} already exists and keeps its roles.\n`)
    return existing
  }
  if (!create) throw new OperatorError(`There is no user "${email}": add --create to create it.`)
  const { id } = await api.users.create({ id: email, name: email, roles: await roleIds(api, role) })
  return id
}

async function findUser(api: Api, email: string): Promise<string | null> {
  try {
    return (await api.users.get({ id: email })).id
  } catch (error) {
    if (error instanceof QuireError && error.code === 'not_found') return null
    throw error
  }
}

async function roleIds(api: Api, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return []
  const { items } = await api.roles.list()
  return names.map((wanted) => {
    const found = items.find(({ id, name }) => id === wanted || name === wanted)
    if (!found) throw new OperatorError(`There is no role "${wanted}".`)
    return found.id
  })
}

/** The path and query of `url` at another base address. */
function at(baseUrl: string, url: string): string {
  const { pathname, search } = new URL(url)
  return `${baseUrl}${pathname}${search}`
}
