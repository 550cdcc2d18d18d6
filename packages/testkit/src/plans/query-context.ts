import {
  type EntityQuery,
  type Filter,
  type Branch,
  type QueryField,
  type Reader,
  type StoreReader,
  type TextQuery,
  type Transaction,
  categoriesPath,
} from '@quire/core/ports'
import { aDocument, anEntity, indexed, testRepository } from '../entity.ts'
import { isText, planBase, planReaders, planTexts } from './shapes.ts'

const main: Branch = { repositoryId: testRepository, packageId: null }
const inPackage: Branch = { repositoryId: testRepository, packageId: 'PACK_1' }

/**
 * Writes heads with everything that lists read, CONT_0 to CONT_4: three on main, two in a package.
 */
export async function writePlanHeads(tx: Transaction): Promise<void> {
  for (const [index, packageId] of [null, null, null, 'PACK_1', 'PACK_1'].entries()) {
    const id = `CONT_${index}`
    const values = indexed({ price: index, colour: 'a', tags: ['a', 'b'], [categoriesPath]: ['a', 'b'] })
    const search = aDocument({ name: 'Red price', categories: ['a'] })
    const edges = [{ path: 'to', targetId: 'a', onDelete: 'ignore' as const }]
    await tx.entities.put(anEntity({ id, slug: id, packageId, parentId: 'a', values, search, edges }), 0)
  }
}

/** The branch, the reader, the text and the page of a query. */
export interface QueryContext {
  readonly branch: Branch
  readonly reader: Reader
  readonly text: TextQuery | undefined
  readonly isLater: boolean
}

/** Every branch, reader and text, for the first page and a later one. */
export const queryContexts: readonly QueryContext[] = [main, inPackage].flatMap((branch) =>
  planReaders.flatMap((reader) =>
    planTexts.flatMap((text) => [false, true].map((isLater) => ({ branch, reader, text, isLater }))),
  ),
)

/** The contexts on main without a text, where only the filter and the reader bound the walk. */
export const plainContexts: readonly QueryContext[] = queryContexts.filter(
  ({ branch, text }) => branch === main && !text,
)

/**
 * Yields a few contexts, different ones each time: all combinations would be some 25 000
 * statements.
 */
export function* someContexts(count: number): Generator<readonly QueryContext[], never> {
  for (let at = 0; ; at += 5 * count + 1) {
    yield Array.from(
      { length: count },
      (_, index) => queryContexts[(at + 5 * index) % queryContexts.length],
    ).filter((one) => one !== undefined)
  }
}

type Query = Pick<EntityQuery, 'sort'> & { filter: Filter | undefined }

/** Reads a list with its count. */
export async function askList(
  { entities }: StoreReader,
  { filter, sort, page = {} }: Query & { readonly page?: { limit?: number; count?: boolean } },
  at: QueryContext,
): Promise<void> {
  const narrowed = { ...(filter && { filter }), ...(at.text && { text: at.text }) }
  const after = { values: sort.map(({ field }) => ('member' in field && isText(field) ? 'a' : 1)), id: 'a' }
  const query = { ...planBase, ...page, reader: at.reader, sort, ...narrowed, ...(at.isLater && { after }) }
  await entities.list(at.branch, query)
}

/** Runs a search with its count. */
export async function askSearch(
  { entities }: StoreReader,
  filter: Filter | undefined,
  at: QueryContext,
): Promise<void> {
  const after = { tier: 1, row: 5 }
  const query = { ...planBase, reader: at.reader, ...(filter && { filter }), ...(at.isLater && { after }) }
  await entities.search(at.branch, { ...query, text: at.text ?? { terms: [] } })
}

const fields: readonly QueryField[] = [
  { member: 'type' },
  { member: 'status' },
  { member: 'parentId' },
  { path: 'colour', list: false },
  { path: categoriesPath, list: true },
]

/** Reads the facets of all fields together, and of each one alone. */
export async function askFacets(
  { entities }: StoreReader,
  filter: Filter | undefined,
  at: QueryContext,
): Promise<void> {
  const narrowed = { ...(filter && { filter }), ...(at.text && { text: at.text }) }
  const query = { kind: 'item', archived: false, limit: 9, reader: at.reader, ...narrowed } as const
  await entities.facets(at.branch, { ...query, fields })
  for (const field of fields) await entities.facets(at.branch, { ...query, fields: [field] })
}

/**
 * Filters whose list an index bounds in order, with the column of the index that a plan must use:
 * everything, or a type, a folder, a value.
 */
export const walkedFilters: readonly (readonly [Filter | undefined, string])[] = [
  [undefined, 'kind'],
  [{ field: { member: 'type' }, op: 'eq', value: 'article' }, 'type'],
  [{ field: { member: 'parentId' }, op: 'eq', value: 'a' }, 'parent_id'],
  [{ field: { path: 'colour', list: false }, op: 'eq', value: 'a' }, 'value'],
  [{ field: { path: categoriesPath, list: true }, op: 'eq', value: 'a' }, 'value'],
]
