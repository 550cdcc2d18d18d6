import type { Api } from '@quire/contract'
import { kindOf, kinds, type Entry, type Kind } from './dictionary.ts'

/** The repository of the dictionary. */
export const configId = 'dictionary'

// Concurrent calls. The engine commits them together.
const atOnce = 100

/**
 * Creates the repository and loads the entries. Reports the number of loaded entries through
 * `notify`, after every batch.
 */
export async function loadDictionary(
  quire: Api,
  entries: readonly Entry[],
  notify: (done: number) => void = () => undefined,
): Promise<void> {
  const categories = await prepare(quire)
  for (let start = 0; start < entries.length; start += atOnce) {
    const batch = entries.slice(start, start + atOnce)
    await Promise.all(batch.map((entry) => quire.items.create(itemOf(entry, categories))))
    notify(start + batch.length)
  }
}

async function prepare(quire: Api): Promise<ReadonlyMap<Kind, string>> {
  await quire.repositories.create({ name: configId })
  await quire.types.create({
    name: 'entry',
    fields: [
      { name: 'traditional', kind: 'text' },
      { name: 'pinyin', kind: 'text' },
      { name: 'meanings', kind: 'text', list: true },
      { name: 'characters', kind: 'integer' },
    ],
  })
  const { id: taxonomyId } = await quire.taxonomies.create({ configId, name: 'Kinds of words' })
  const ids = new Map<Kind, string>()
  for (const name of kinds) ids.set(name, (await quire.categories.create({ configId, taxonomyId, name })).id)
  return ids
}

function itemOf(entry: Entry, categories: ReadonlyMap<Kind, string>) {
  const { simplified, traditional, pinyin, english } = entry
  const category = categories.get(kindOf(entry))
  return {
    repositoryId: configId,
    type: 'entry',
    name: simplified,
    categories: category === undefined ? [] : [category],
    fields: { traditional, pinyin, meanings: [...english], characters: Array.from(simplified).length },
  }
}
