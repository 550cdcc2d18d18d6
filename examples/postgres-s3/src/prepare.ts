import type { Api } from '@quire/client'
import { systemIdentity, type Quire } from '@quire/core'

/** The credentials of an account. */
export interface Account {
  readonly clientId: string
  readonly clientSecret: string
}

/**
 * Creates the repository and its types if they are missing, and an account that can edit. All
 * servers see them.
 */
export async function prepare(quire: Quire): Promise<Account> {
  const setup = quire.as(systemIdentity('setup'))
  const { items } = await setup.repositories.list()
  if (!items.some(({ name }) => name === 'magazine')) await prepareMagazine(setup)
  const name = `Desk ${Date.now()}`
  const role = await setup.roles.create({ name, bundles: ['bundle.publisher'] })
  const { id, secret } = await setup.serviceAccounts.create({ name, roles: [role.id] })
  return { clientId: id, clientSecret: secret }
}

async function prepareMagazine({ repositories, types }: Api): Promise<void> {
  await repositories.create({ name: 'magazine' })
  await types.create({ name: 'picture', settings: { isAsset: true, mimeTypes: ['image/*'] }, fields: [] })
  await types.create({
    name: 'article',
    settings: { slugFrom: 'title' },
    fields: [
      { name: 'title', kind: 'text', required: true },
      { name: 'picture', kind: 'reference', settings: { types: ['picture'] } },
    ],
  })
}
