import fc from 'fast-check'
import { configId, pictureOf, type CachingWorld } from './world.ts'

/** A change of a world. It may be refused. */
export interface Change {
  readonly name: string
  readonly make: (world: CachingWorld) => Promise<unknown>
}

let made = 0

const index = fc.nat(40)
const word = fc.constantFrom('lead', 'zinc', 'brass', 'type', 'proof')

type Make = (world: CachingWorld, which: number, text: string) => Promise<unknown>

function entryOf<T>(list: readonly T[], which: number): T {
  const entry = list[which % list.length]
  if (entry === undefined) throw new Error('The list is empty.')
  return entry
}

const itemsOf = ({ articles, authors, picture }: CachingWorld) => [...articles, ...authors, picture]
const anItem = (world: CachingWorld, which: number) => ({ configId, id: entryOf(itemsOf(world), which) })
const anArticle = ({ articles }: CachingWorld, which: number) => ({ configId, id: entryOf(articles, which) })

/** Changes the first item that can be changed so. */
async function firstOf(
  world: CachingWorld,
  which: number,
  change: (item: { readonly configId: string; readonly id: string }) => Promise<unknown>,
): Promise<void> {
  for (let tried = 0; tried < itemsOf(world).length; tried += 1) {
    const isChanged = await change(anItem(world, which + tried)).then(
      () => true,
      () => false,
    )
    if (isChanged) return
  }
}

/** How often each change occurs in a history, and what it does. */
const changes: Readonly<Record<string, readonly [weight: number, make: Make]>> = {
  edit: [
    4,
    (world, which, text) =>
      world.desk.items.update({ ...anArticle(world, which), fields: { title: text, rank: which % 5 } }),
  ],
  'edit and publish': [
    8,
    async (world, which, text) => {
      const item = anArticle(world, which)
      await world.desk.items.update({ ...item, fields: { title: `${text} ${which}`, rank: which % 5 } })
      await world.desk.items.publish(item)
    },
  ],
  'edit and publish an author': [
    4,
    async ({ desk, authors }, which, bio) => {
      const item = { configId, id: entryOf(authors, which) }
      await desk.items.update({ ...item, fields: { bio: `${bio} ${which}` } })
      await desk.items.publish(item)
    },
  ],
  publish: [4, (world, which) => world.desk.items.publish(anItem(world, which))],
  unpublish: [2, (world, which) => world.desk.items.unpublish(anItem(world, which))],
  archive: [1, (world, which) => world.desk.items.archive(anItem(world, which))],
  unarchive: [2, (world, which) => firstOf(world, which, (item) => world.desk.items.unarchive(item))],
  delete: [1, (world, which) => world.desk.items.delete(anItem(world, which))],
  undelete: [2, (world, which) => firstOf(world, which, (item) => world.desk.items.undelete(item))],
  slug: [
    2,
    (world, which) => world.desk.items.update({ ...anArticle(world, which), slug: `renamed-${which % 2}` }),
  ],
  readers: [
    1,
    (world, which) =>
      world.desk.items.update({ ...anItem(world, which), readPerm: which % 2 ? [world.roleId] : [] }),
  ],
  categorize: [
    2,
    (world, which) =>
      world.desk.items.update({ ...anArticle(world, which), categories: [entryOf(world.categories, which)] }),
  ],
  'rename a category': [
    1,
    ({ desk, taxonomyId, categories }, which, name) =>
      desk.categories.update({ configId, taxonomyId, id: entryOf(categories, which), name }),
  ],
  'rename a taxonomy': [
    1,
    ({ desk, taxonomyId: id }, _which, name) => desk.taxonomies.update({ configId, id, name }),
  ],
  move: [
    1,
    (world, which) =>
      world.desk.items.update({ ...anArticle(world, which), folderId: entryOf(world.folders, which) }),
  ],
  'move a folder': [
    1,
    ({ desk, folders }, which) =>
      desk.folders.move({ configId, id: folders[1] ?? '', parentId: which % 2 ? null : (folders[0] ?? '') }),
  ],
  'change a type': [
    1,
    async ({ desk }, which) => {
      const { items } = await desk.types.list({})
      const type = items.find(({ name }) => name === 'article')
      const fields = (type?.fields ?? []).filter(({ name }) => name !== 'extra' && name !== 'rank')
      const rank = { name: 'rank', kind: 'integer' } as const
      const extra = { name: 'extra', kind: 'text' } as const
      const more = which % 3 === 0 ? [extra] : which % 3 === 1 ? [rank] : [rank, extra]
      await desk.types.update({ id: type?.id ?? '', fields: [...fields, ...more], migrate: true })
    },
  ],
  'change a preset': [
    1,
    ({ desk }, which) => desk.renditionPresets.update({ configId, name: 'hero', width: 10 + which }),
  ],
  'replace a file': [
    2,
    async ({ desk, picture }, which) => {
      await desk.assets.replace({ configId, assetId: picture, file: pictureOf(20 + which) })
      await desk.items.publish({ configId, id: picture })
    },
  ],
  'publish the site': [
    3,
    async ({ desk, quire, siteId }) => {
      await desk.sites.publish({ configId, siteId })
      await quire.settled()
    },
  ],
  'change a page and publish the site': [
    3,
    async ({ desk, quire, siteId, pages }, which, text) => {
      const page = { configId, siteId, id: entryOf(pages, which) }
      const slug = which % 2 ? 'renamed' : `page-${which % 3}`
      await desk.pages.update({
        ...page,
        ...entryOf([{ visible: which % 2 === 0 }, { slug }, { name: `${text} ${which}` }], which),
      })
      await desk.sites.publish({ configId, siteId })
      await quire.settled()
    },
  ],
  'roll back the site': [
    1,
    async ({ desk, siteId }, which) => {
      const { items } = await desk.sites.publications({ configId, siteId })
      const others = items.filter(({ isActive }) => !isActive)
      if (others.length > 0) await desk.sites.rollback({ configId, siteId, id: entryOf(others, which).id })
    },
  ],
  'merge a package': [
    2,
    async (world, which, text) => {
      const { desk } = world
      const { name } = await desk.packages.create({ repo: configId, name: `package ${++made}` })
      const item = { ...anArticle(world, which), packageName: name }
      await desk.items.update({ ...item, fields: { title: `merged ${text}` } })
      await desk.packages.merge({ repo: configId, packageName: name, publish: which % 2 === 0 })
    },
  ],
  'publish many': [
    1,
    ({ desk, articles }) => desk.items.bulk({ configId, action: 'publish', ids: [...articles] }),
  ],
  'rename the repository for people': [
    1,
    ({ desk, repositoryId: id }, _which, displayName) => desk.repositories.update({ id, displayName }),
  ],
  'open or close the repository': [
    1,
    ({ desk, repositoryId: id }, which) => desk.repositories.update({ id, public: which % 3 > 0 }),
  ],
  'open or close GraphQL': [
    1,
    ({ desk, repositoryId: id }, which) =>
      desk.repositories.update({ id, settings: { graphql: { public: which % 3 > 0 } } }),
  ],
}

/** One change, chosen by its weight. */
export const aChange: fc.Arbitrary<Change> = fc.oneof(
  ...Object.entries(changes).map(([name, [weight, make]]) => ({
    weight,
    arbitrary: fc.tuple(index, word).map(([which, text]): Change => {
      return { name: `${name} ${which} ${text}`, make: (world) => make(world, which, text) }
    }),
  })),
)
