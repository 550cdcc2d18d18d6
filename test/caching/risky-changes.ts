import type { PermissionKey } from '@quire/contract'
import fc from 'fast-check'
import { packageName, type WorldOfCallers } from './callers.ts'
import { configId } from './world.ts'

/** A change of rights, in a package, of several items at once, or one that is undone. It may be refused. */
export interface RiskyChange {
  readonly name: string
  readonly make: (world: WorldOfCallers) => Promise<unknown>
}

type Make = (world: WorldOfCallers, which: number) => Promise<unknown>

const someKeys: readonly PermissionKey[][] = [
  [],
  ['items.read'],
  ['items.read', 'packages.view'],
  ['items.read', 'graphql.query', 'packages.view'],
]

const articleOf = ({ articles }: WorldOfCallers, which: number) => articles[which % articles.length] ?? ''
const accountOf = ({ accounts }: WorldOfCallers, which: number) => accounts[which % accounts.length] ?? ''

const changes: Readonly<Record<string, Make>> = {
  'change what a role permits': ({ desk, readersId: id, repositoryId }, which) =>
    desk.roles.update({ id, permissions: { repos: { [repositoryId]: someKeys[which % 4] ?? [] } } }),
  'change the roles of a group': ({ desk, groupId: id, readersId, roleId }, which) =>
    desk.groups.update({ id, roles: [[], [readersId], [readersId, roleId]][which % 3] ?? [] }),
  'change the roles of an account': ({ desk, accounts: [id = ''], readersId, roleId }, which) =>
    desk.serviceAccounts.update({ id, roles: [[readersId], [readersId, roleId]][which % 2] ?? [] }),
  'disable or enable an account': (world, which) =>
    world.desk.serviceAccounts.update({ id: accountOf(world, which), enabled: which % 3 > 0 }),
  'limit who may read': (world, which) =>
    world.desk.items.update({
      configId,
      id: articleOf(world, which),
      readPerm: [[], [world.roleId], [world.readersId]][which % 3] ?? [],
    }),
  'swap slugs in one commit': async (world, which) => {
    const { desk } = world
    const [one, other] = [articleOf(world, which), articleOf(world, which + 1)]
    const rename = (id: string, slug: string) => desk.items.update({ configId, id, slug })
    await Promise.all([rename(one, 'between'), rename(other, 'article-0'), rename(one, 'renamed-0')])
  },
  'rename in the package': (world, which) =>
    world.desk.items.update({
      configId,
      packageName,
      id: articleOf(world, which),
      slug: ['article-0', 'renamed-0', 'renamed-1'][which % 3],
      fields: { title: `planned ${which}` },
    }),
  'drop a change of the package': (world, which) =>
    world.desk.packages.removeChange({ repo: configId, packageName, entityId: articleOf(world, which) }),
  'delete the package and create it again': async ({ desk }) => {
    await desk.packages.delete({ repo: configId, packageName })
    await desk.packages.create({ repo: configId, name: packageName })
  },
  'merge the package': async ({ desk }) => {
    await desk.packages.merge({ repo: configId, packageName })
    await desk.packages.delete({ repo: configId, packageName })
    await desk.packages.create({ repo: configId, name: packageName })
  },
  'fail after some of many': (world, which) =>
    world.desk.items.bulk({
      configId,
      action: 'update',
      ids: [articleOf(world, which), articleOf(world, which + 1), 'CONT_unknown'],
      atomic: true,
      input: { fields: { title: `undone ${which}` } },
    }),
  'only try to change many': ({ desk, articles }, which) =>
    desk.items.bulk({
      configId,
      action: which % 2 ? 'publish' : 'archive',
      ids: [...articles],
      dryRun: true,
    }),
  'update by GraphQL': (world, which) =>
    world.desk.graphql.execute({
      configId,
      query: `mutation { updateArticle(id: "${articleOf(world, which)}", input: { title: "by graph ${which}" }) { id } }`,
    }),
  'purge the newest item, and create another': async ({ desk, store, repositoryId }, which) => {
    const create = (slug: string) =>
      desk.items.create({ repositoryId, type: 'article', name: slug, slug, fields: { title: slug } })
    const { id } = await create('renamed-1')
    await desk.items.list({ configId })
    await desk.items.getBySlug({ configId, slug: 'renamed-1' })
    await store.transaction((tx) =>
      tx.entities.purge({ repositoryId, packageId: null }, { kind: 'item', id }),
    )
    await create(which % 2 ? 'renamed-1' : `made-${id}`)
  },
}

/** One of them. */
export const aRiskyChange: fc.Arbitrary<RiskyChange> = fc
  .tuple(fc.constantFrom(...Object.entries(changes)), fc.nat(20))
  .map(([[name, make], which]) => ({ name: `${name} ${which}`, make: (world) => make(world, which) }))
