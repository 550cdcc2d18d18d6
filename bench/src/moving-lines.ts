import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { Api } from '@quire/contract'
import { createQuire, systemIdentity, type Quire } from '@quire/core'
import { openSqliteStore } from '@quire/store-sqlite'
import { median, type Figure } from './compare.ts'
import { fillCorpus } from './fill-corpus.ts'

/** How many items are moved, and how often. */
export interface MovingEffort {
  readonly rounds: number
  /** Items that are exported, and over which a change is planned. */
  readonly many: number
  /** Items that are imported. */
  readonly few: number
}

const configId = 'corpus'

/** What moving content and changing its types takes, in process on SQLite. */
export async function movingLines(folder: string, { rounds, many, few }: MovingEffort): Promise<Figure[]> {
  const small = await opened(join(await fillCorpus(folder, few), 'quire.db'))
  try {
    await bytesOf(small.api)
    await plan(small.api, 0)
    // Not beside the others: an open store works on its index while nothing is written.
    const ofLarge = await largeLines(folder, { rounds, many })
    const file = await bytesOf(small.api)
    const imported = await each(rounds, () => importOf(folder, file))
    return [
      ...ofLarge,
      rate('import of a repository, its plan included', { items: few, took: imported, target: 1500 }),
      await pastLine(small.api, rounds),
    ]
  } finally {
    await small.quire.close()
  }
}

async function largeLines(
  folder: string,
  { rounds, many }: Pick<MovingEffort, 'rounds' | 'many'>,
): Promise<Figure[]> {
  const { quire, api } = await opened(join(await fillCorpus(folder, many), 'quire.db'))
  try {
    const exported = await each(rounds, () => seconds(() => bytesOf(api)))
    const rows = await each(rounds, () => seconds(() => rowsOf(api)))
    const planned = await each(rounds, (round) => seconds(() => plan(api, round)))
    return [
      rate('export of a repository', { items: many, took: exported, target: 20_000 }),
      rate('export of rows as CSV', { items: many, took: rows, target: 20_000 }),
      {
        what: `plan of a schema over ${many.toLocaleString('en')} items`,
        ...spread(planned.map((took) => took * 1000)),
        unit: 'ms',
        target: Math.max(10, many / 500),
        bound: 'atMost',
        detail: 'a limit that the index of values checks; the goal is 2 s for a million items',
      },
    ]
  } finally {
    await quire.close()
  }
}

/** Seconds of an import into an empty repository. */
async function importOf(folder: string, file: Uint8Array<ArrayBuffer>): Promise<number> {
  const { quire, api } = await opened(join(mkdtempSync(join(folder, 'import-')), 'quire.db'))
  try {
    await api.repositories.create({ name: configId })
    const input = { id: configId, file: new File([file], 'corpus.zip') }
    return await seconds(() => api.repositories.import(input))
  } finally {
    await quire.close()
  }
}

async function opened(file: string): Promise<{ readonly quire: Quire; readonly api: Api }> {
  const quire = createQuire({ store: await openSqliteStore({ file }) })
  return { quire, api: quire.as(systemIdentity('bench')) }
}

async function bytesOf(api: Api): Promise<Uint8Array<ArrayBuffer>> {
  return (await api.repositories.export({ id: configId })).bytes()
}

async function rowsOf(api: Api): Promise<unknown> {
  return (await api.items.exportRows({ configId, type: 'note' }, { accept: 'text/csv' })).bytes()
}

/** Each round asks for another limit: the store remembers counts. */
async function plan(api: Api, round: number): Promise<unknown> {
  const { types } = await api.schema.get({})
  const narrowed = types.map((type) => ({
    ...type,
    fields: type.fields.map((field) =>
      field.kind === 'number' ? { ...field, settings: { max: 1000 * (round + 1) } } : field,
    ),
  }))
  return api.schema.plan({ types: narrowed })
}

/** A read of an item as it was, compared with a read of the item. */
async function pastLine(api: Api, rounds: number): Promise<Figure> {
  const { items } = await api.items.list({ configId, limit: 500 })
  const at = Date.now()
  const reads = (more: object) => async () => {
    for (const { id } of items) await api.items.get({ configId, id, ...more })
  }
  const ratios = await each(rounds, async () => (await seconds(reads({ at }))) / (await seconds(reads({}))))
  return {
    what: 'read of an item as it was',
    ...spread(ratios),
    unit: '×',
    target: 3,
    bound: 'atMost',
    detail: 'in process, compared with a read of the item',
  }
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

async function each<T>(rounds: number, work: (round: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  for (let round = 0; round < rounds; round += 1) results.push(await work(round))
  return results
}

function rate(
  what: string,
  { items, took, target }: { items: number; took: readonly number[]; target: number },
): Figure {
  const rates = took.map((one) => items / one)
  return {
    what,
    ...spread(rates),
    unit: 'items/s',
    target,
    bound: 'atLeast',
    detail: `${items} items, in process on SQLite`,
  }
}

function spread(values: readonly number[]) {
  return { value: median([...values]), min: Math.min(...values), max: Math.max(...values) }
}
