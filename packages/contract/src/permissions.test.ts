import { expect, it } from 'vitest'
import { endpoints } from './contract.ts'
import { permissionKeysOf, type PermissionTarget } from './endpoint.ts'
import { permissionCatalogue, type PermissionScope } from './permissions.ts'

/** What a key must be grantable on, so that somebody can hold it where an endpoint asks for it. */
const grantedOn: { readonly [T in PermissionTarget]: readonly PermissionScope[] | null } = {
  global: null,
  // A new site is on no site yet: its key is held everywhere, or everywhere in packages.
  repository: ['repository', 'site'],
  type: ['type'],
  item: ['type'],
  site: ['site'],
  each: null,
}

const keyed = endpoints.flatMap(({ group, operation, endpoint }) =>
  typeof endpoint.permission === 'string'
    ? []
    : [
        {
          name: `${group}.${operation}`,
          keys: permissionKeysOf(endpoint.permission),
          on: endpoint.permission.on,
          to: endpoint.permission.to,
          method: endpoint.method,
          members: Object.keys(endpoint.input.shape),
        },
      ],
)

it('asks for every key where somebody can hold it', () => {
  const wrong = keyed.filter(({ keys, on }) => {
    const scopes = keys.flatMap((key): readonly PermissionScope[] => permissionCatalogue[key].scopes)
    const grantable = grantedOn[on]
    return grantable !== null && !grantable.some((scope) => scopes.includes(scope))
  })
  expect(wrong).toEqual([])
  expect(keyed.length).toBeGreaterThan(150)
})

it('names the repository, item or site on which it asks for a key', () => {
  const named: { readonly [T in PermissionTarget]?: RegExp } = {
    repository: /^(?:configId|repo|repositoryId|id)$/,
    type: /^(?:configId|repositoryId)$/,
    item: /^(?:id|itemId|assetId|slug)$/,
    site: /^siteId$/,
  }
  const wrong = keyed.filter(({ on, members }) => {
    const pattern = named[on]
    return pattern !== undefined && !members.some((member) => pattern.test(member))
  })
  expect(wrong).toEqual([])
})

it('asks for a key on the repository that an input names, unless it checks each thing in it', () => {
  const checkedEach = [
    'items.list',
    'items.bulk',
    'items.exportRows',
    'items.importRows',
    'assets.zip',
    'assets.createFromUrl',
    'translations.list',
    'translations.export',
    'translations.import',
    'sites.list',
  ]
  const onEach = keyed.filter(({ on, members }) => on === 'each' && members.includes('configId'))
  expect(onEach.map(({ name }) => name)).toEqual(checkedEach)
})

it('says what each operation that writes does to its item, site or type', () => {
  const onTarget = keyed.filter(({ on }) => ['item', 'site', 'type'].includes(on))
  // Whether the item could be published, and where it is shown.
  const reads = ['items.validate', 'items.preview']
  const writes = onTarget.filter(({ name, method }) => method !== 'GET' && !reads.includes(name))
  const name = ({ name }: { name: string }) => name
  expect(keyed.filter(({ to }) => to !== undefined).map(name)).toEqual(writes.map(name))
  expect(writes.length).toBeGreaterThan(25)
})
