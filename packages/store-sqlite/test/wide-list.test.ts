import type { EntityPage, EntityQuery, Filter, Branch, PageCursor, SortKey } from '@quire/core/ports'
import { anEntity, indexed, nextVersion, testRepository } from '@quire/testkit'
import { beforeAll, describe, expect, it } from 'vitest'
import { copyHead } from './copy-head.ts'
import { type RecordedStore, openRecorded } from './plans/recorded-store.ts'

const main: Branch = { repositoryId: testRepository, packageId: null }
const inPackage: Branch = { repositoryId: testRepository, packageId: 'PACK_1' }
const size = 20_000

const rank: SortKey = { field: { path: 'rank', list: false }, descending: false }
const name: SortKey = { field: { member: 'name' }, descending: false }
const newest: SortKey = { field: { member: 'updatedDate' }, descending: true }
const sorts: readonly SortKey[] = [
  rank,
  name,
  newest,
  { ...rank, descending: true },
  { ...name, descending: true },
]

const ofColour = (value: string): Filter => ({ field: { path: 'colour', list: false }, op: 'eq', value })

/**
 * Many heads have the first; fewer than a page, at the end of an order, have the second; none has
 * the third.
 */
const colours = ['common', 'rare', 'none']

interface Known {
  readonly id: string
  readonly colour: string
  readonly rank: string
  readonly name: string
  readonly updatedDate: number
}

let store: RecordedStore
let known: readonly Known[]

beforeAll(async () => {
  store = await openRecorded()
  const values = indexed({ colour: 'common', rank: 'a' })
  await store.write(async (tx) => {
    await tx.entities.put(anEntity({ id: 'CONT_1', slug: 'one', values }), 0)
    const own = { id: 'CONT_2', slug: 'two', name: '00100', packageId: 'PACK_1' }
    await tx.entities.put(anEntity({ ...own, values: indexed({ colour: 'common', rank: '00100' }) }), 0)
  })
  const { database } = store
  copyHead(database, 'CONT_1', size)
  database.exec(`
    UPDATE heads SET name = printf('%05d', (head * 7919) % 6000) WHERE branch = 1;
    UPDATE field_values SET value = 's' || printf('%05d', (head * 7919) % 6000) WHERE path = 'rank' AND branch = 1;
    UPDATE field_values SET value = CASE WHEN head % 10 = 0 THEN 'scommon' ELSE 'sother' END WHERE path = 'colour' AND branch = 1;
    UPDATE field_values SET value = 'srare' WHERE path = 'colour' AND branch = 1
      AND head IN (SELECT head FROM field_values WHERE path = 'rank' AND branch = 1 ORDER BY value DESC LIMIT 7);
    INSERT INTO search_rows (row, head, branch) SELECT head, head, branch FROM heads WHERE head > 2;`)
  known = allKnown(store)
})

function allKnown({ database }: RecordedStore): readonly Known[] {
  return database
    .prepare<[], Known>(
      `SELECT h.id, h.name, h.updated_date AS updatedDate, substr(c.value, 2) AS colour, substr(r.value, 2) AS rank
       FROM heads h JOIN field_values c ON c.head = h.head AND c.path = 'colour'
         JOIN field_values r ON r.head = h.head AND r.path = 'rank'
       WHERE h.branch = 1 AND h.archived = 0`,
    )
    .all()
}

const listed = (
  branch: Branch,
  query: Pick<EntityQuery, 'sort' | 'limit'> & { filter: Filter; after?: PageCursor },
) =>
  store.reader.entities.list(branch, {
    kind: 'item',
    reader: { types: 'all', roles: 'all' },
    archived: false,
    count: true,
    ...query,
  })

/** The ids of all pages. */
async function idsOf(branch: Branch, filter: Filter, sort: readonly SortKey[]): Promise<string[]> {
  const ids: string[] = []
  let page: EntityPage | undefined
  do {
    const after = page?.next
    page = await listed(branch, { filter, sort, limit: 90, ...(after && { after }) })
    ids.push(...page.entities.map(({ id }) => id))
  } while (page.next)
  if (page.count !== ids.length) throw new Error(`${page.count} were counted, but ${ids.length} exist.`)
  return ids
}

function expected(colour: string, { field, descending }: SortKey): readonly string[] {
  const keyOf = (one: Known) => {
    if ('path' in field) return one.rank
    return field.member === 'name' ? one.name : String(one.updatedDate).padStart(20, '0')
  }
  const order = (a: string, b: string) => Number(a > b) - Number(a < b)
  const matching = known.filter((one) => one.colour === colour)
  const sorted = matching.toSorted((a, b) => {
    const byKey = order(keyOf(a), keyOf(b))
    return (descending ? -byKey : byKey) || order(a.id, b.id)
  })
  return sorted.map(({ id }) => id)
}

describe('a list that no index bounds, among many heads', () => {
  it.each(sorts)(
    'has every match once, in order: %j',
    async (sort) => {
      const found = await Promise.all(colours.map((colour) => idsOf(main, ofColour(colour), [sort])))
      expect(found).toEqual(colours.map((colour) => expected(colour, sort)))
    },
    60_000,
  )

  it('shows what a package shows', async () => {
    const ids = await idsOf(inPackage, ofColour('common'), [rank])
    const own = ids.indexOf('CONT_2')
    expect(ids.toSpliced(own, 1)).toEqual(expected('common', rank))
    const before = known.filter(
      (one) => one.colour === 'common' && (one.rank < '00100' || (one.rank === '00100' && one.id < 'CONT_2')),
    )
    expect(own).toBe(before.length)
  })

  it('includes heads without the value that it is sorted by', async () => {
    const firstId = async () => {
      const page = await listed(main, { filter: ofColour('common'), sort: [rank], limit: 5 })
      return page.entities[0]?.id
    }
    const [first] = expected('common', rank)
    expect(await firstId()).toBe(first)
    const head = anEntity({ id: 'CONT_3', slug: 'three', values: indexed({ colour: 'common' }) })
    await store.write((tx) => tx.entities.put(head, 0))
    expect(await firstId()).toBe('CONT_3')
    const removed = nextVersion(head, { deletedDate: head.updatedDate + 1_000, values: [] })
    await store.write((tx) => tx.entities.put(removed, 1))
    expect(await firstId()).toBe(first)
  })
})
