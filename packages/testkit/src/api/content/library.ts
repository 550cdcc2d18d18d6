import type { Api } from '@quire/contract'
import type { EntityWrite } from '@quire/core/ports'
import { anEntity } from '../../entity.ts'
import type { Bench } from '../host.ts'

/** The repository of the tests of searches and queries. */
export const library = 'library'

/** The ids of its content. */
export interface Library {
  readonly repositoryId: string
  readonly shelf: string
  readonly category: string
  readonly books: readonly string[]
}

type NewItem = Parameters<Api['items']['create']>[0]
type Book = Pick<NewItem, 'name' | 'description' | 'folderId' | 'categories'> & {
  readonly fields: NonNullable<NewItem['fields']>
}

/**
 * Creates five books, the last of which is published, and returns them in the order of creation.
 */
export async function prepareLibrary({ system, scope }: Bench): Promise<Library> {
  const { id: repositoryId } = await system.repositories.create({ name: library })
  await system.types.create({ name: 'person', fields: [{ name: 'bio', kind: 'text' }] })
  await system.types.create({ name: 'memo', fields: [{ name: 'secret', kind: 'text' }] })
  await system.types.create({
    name: 'book',
    fields: [
      { name: 'body', kind: 'richText' },
      { name: 'price', kind: 'number' },
      { name: 'topic', kind: 'text' },
      { name: 'tags', kind: 'text', list: true },
      { name: 'stock', kind: 'boolean' },
      { name: 'author', kind: 'reference', settings: { types: ['person'] } },
    ],
  })
  const [shelf, taxonomy, category] = ['FOLD_SHELF', 'TAXO_SUBJECTS', 'CATG_CALLIGRAPHY'] as const
  const put = (kind: EntityWrite['kind'], entity: Partial<EntityWrite> & { name: string }) => {
    const search = { name: entity.name, passages: [], categories: [], file: null }
    const write = anEntity({ repositoryId, kind, type: kind, slug: null, search, ...entity })
    return scope.store.transaction((tx) => tx.entities.put(write, 0))
  }
  await put('folder', { id: shelf, name: 'Shelf' })
  await put('taxonomy', { id: taxonomy, name: 'Subjects' })
  await put('category', { id: category, name: 'Calligraphy', body: { taxonomyId: taxonomy } })
  const ada = await system.items.create({
    repositoryId,
    type: 'person',
    name: 'Ada',
    fields: { bio: 'Writes' },
  })
  const books: string[] = []
  for (const book of booksOf({ author: ada.id, shelf, category })) {
    scope.clock.advance(1000)
    const { id } = await system.items.create({ repositoryId, type: 'book', ...book })
    books.push(id)
  }
  await system.items.publish({ configId: library, id: books.at(-1) ?? '' })
  return { repositoryId, shelf, category, books }
}

function booksOf({ author, shelf, category }: { author: string; shelf: string; category: string }): Book[] {
  return [
    {
      name: 'Ink and paper',
      folderId: shelf,
      fields: {
        body: '<p>The galls of the <b>oak</b></p>',
        price: 5,
        topic: 'craft',
        tags: ['a', 'b'],
        author,
      },
    },
    {
      name: 'Paper birds',
      description: 'Folding, with ink & "patience"',
      fields: { price: 12, topic: 'craft', tags: ['b'], stock: true },
    },
    { name: 'Inkwell', categories: [category], fields: { price: 20, topic: 'history' } },
    { name: '東京の図書館', fields: { price: 8, topic: 'history', stock: false } },
    { name: 'Crème brûlée', description: 'No inking here', fields: { price: 3, topic: 'food' } },
  ]
}
