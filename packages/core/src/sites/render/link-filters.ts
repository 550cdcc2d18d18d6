import { type Item, limits } from '@quire/contract'
import type { PageFilter } from './page-filter.ts'
import { writtenText } from './page-emitter.ts'
import type { PageRun } from './page-run.ts'

/** Filters that lead from the page to items, files and other pages. */
export const linkFilters: Readonly<Record<string, PageFilter>> = {
  url: (run, value) => {
    const id = idOf(value)
    return id === null ? '' : run.linkTo(id)
  },
  item: async (run, value) => (Array.isArray(value) ? itemsOf(run, value) : itemOf(run, value)),
  rendition: async (run, value, name) => fileOf(run, value, writtenText(name)),
  file: async (run, value) => fileOf(run, value, 'original'),
}

/** An id, or that of an object with one. Objects are not trusted further: a field of kind json can look like an item. */
function idOf(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'id')) return null
  const id: unknown = Reflect.get(value, 'id')
  return typeof id === 'string' && id !== '' ? id : null
}

async function itemOf(run: PageRun, value: unknown): Promise<Item | null> {
  const id = idOf(value)
  return id === null ? null : run.item(id)
}

async function itemsOf(run: PageRun, values: readonly unknown[]): Promise<Item[]> {
  if (values.length > limits.pageMost)
    throw new Error(`it asks for more than ${limits.pageMost} items at once`)
  const items = await Promise.all(values.map(async (value) => itemOf(run, value)))
  return items.filter((item) => item !== null)
}

async function fileOf(run: PageRun, value: unknown, rendition: string): Promise<string> {
  const item = await itemOf(run, value)
  return item === null ? '' : run.fileLink(item, rendition)
}
