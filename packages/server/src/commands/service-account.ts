import { systemIdentity } from '@quire/core'
import { openQuire } from '../open-quire.ts'
import { OperatorError } from '../operator-error.ts'
import { jobsOf, storedLocationsOf, type StorageFlags } from './storage-flags.ts'

/** Options of `quire service-account create`, parsed. */
export interface AccountOptions extends StorageFlags {
  readonly name: string
  readonly role: readonly string[]
  readonly bundle: readonly string[]
  readonly branchOnly?: boolean
}

/**
 * Creates a service account and prints `{ "clientId", "clientSecret" }`. The secret cannot be read
 * again later.
 */
export async function createServiceAccount({
  name,
  role,
  bundle,
  branchOnly = false,
  ...flags
}: AccountOptions): Promise<void> {
  if (role.length === 0 && bundle.length === 0) {
    throw new OperatorError('The account needs permissions: add --role or --bundle.', { exitCode: 2 })
  }
  const locations = await storedLocationsOf(flags)
  const { quire } = await openQuire({ ...locations, ...jobsOf(locations), baseUrl: 'http://127.0.0.1:3000' })
  try {
    const api = quire.as(systemIdentity('cli'))
    const { items } = await api.roles.list()
    const named = role.map((wanted) => {
      const found = items.find((one) => one.id === wanted || one.name === wanted)
      if (!found) throw new OperatorError(`There is no role "${wanted}".`)
      return found.id
    })
    const own =
      bundle.length === 0
        ? []
        : [(await api.roles.create({ name: `${name} (service account)`, bundles: [...bundle] })).id]
    const { id, secret } = await api.serviceAccounts.create({ name, roles: [...named, ...own], branchOnly })
    process.stdout.write(`${JSON.stringify({ clientId: id, clientSecret: secret }, null, 2)}\n`)
  } finally {
    await quire.close()
  }
}
