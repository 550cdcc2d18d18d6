import { anEntity } from '@quire/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { folderRules } from '../folders/kind.ts'
import { createMemoryStore } from '../../memory/index.ts'
import type { EntityReader } from '../../ports/index.ts'
import { categoryRules } from '../taxonomies/kinds.ts'
import { inTreeOrder, levelsOf, standingIn, atTop, byName, byOrder } from './tree.ts'
import { ancestorsOf, lookingAt } from './ancestors.ts'
import { siblingKey } from './content.ts'

const { repositoryId } = anEntity()
const branch = { repositoryId, packageId: null }

/** Folders by what they stand in, as a store holds them that was never checked. */
async function storeOf(parents: Readonly<Record<string, string | null>>): Promise<EntityReader> {
  const store = createMemoryStore()
  await store.transaction(async (tx) => {
    for (const [id, parentId] of Object.entries(parents)) {
      const json = JSON.stringify({ id, name: id, parentId })
      await tx.entities.put(anEntity({ kind: 'folder', type: 'folder', id, name: id, parentId, json }), 0)
    }
  })
  return store.entities
}

const family = { a: null, b: 'a', c: 'b', d: 'b', e: null }

describe('the levels of a tree', () => {
  it('are read from the first one down, as many as asked', async () => {
    const entities = await storeOf(family)
    const read = async (depth?: number) =>
      (await levelsOf(entities, branch, { kind: 'folder', first: atTop, depth, most: 100 })).map(
        ({ head, depth: at }) => `${at}${head.id}`,
      )
    expect(await read()).toEqual(['1a', '1e', '2b', '3c', '3d'])
    expect(await read(2)).toEqual(['1a', '1e', '2b'])
  })

  it('end with one more than was asked for at most', async () => {
    const part = { kind: 'folder', first: atTop, most: 2 } as const
    expect(await levelsOf(await storeOf(family), branch, part)).toHaveLength(3)
  })

  it('end where a circle closes', async () => {
    const entities = await storeOf({ a: 'c', b: 'a', c: 'b' })
    const nodes = await levelsOf(entities, branch, { kind: 'folder', first: standingIn(['a']), most: 100 })
    expect(nodes.map(({ head }) => head.id)).toEqual(['b', 'c', 'a'])
    expect(inTreeOrder(nodes, byName).map(({ head }) => head.id)).toEqual(['b', 'c', 'a'])
  })

  it('in order have each thing once, after what it stands in', async () => {
    const parents = fc.array(fc.nat(20), { maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(parents, async (choices) => {
        // Each stands in one that was made before it, or at the top.
        const ids = choices.map((_, index) => `f${index}`)
        const tree = choices.map(
          (choice, index) => [ids[index] ?? '', ids[(choice % (index + 1)) - 1] ?? null] as const,
        )
        const entities = await storeOf(Object.fromEntries(tree))
        const nodes = await levelsOf(entities, branch, { kind: 'folder', first: atTop, most: 100 })
        const order = inTreeOrder(nodes, byOrder).map(({ head }) => head.id)
        expect(order.toSorted()).toEqual(ids.toSorted())
        for (const [id, parent] of tree)
          expect(parent === null || order.indexOf(parent) < order.indexOf(id)).toBe(true)
      }),
    )
  })
})

describe('what stands above', () => {
  it('comes with the top first, and ends where nothing is or a circle closes', async () => {
    const entities = await storeOf({ ...family, x: 'y', y: 'x', lost: 'gone' })
    const above = await ancestorsOf(lookingAt(entities, branch, 'folder'), ['b', 'x', 'lost', 'gone', null])
    const ids = (parentId: string | null) => above(parentId).map(({ id }) => id)
    expect(ids('b')).toEqual(['a', 'b'])
    expect(ids('x')).toEqual(['y', 'x'])
    expect(ids('lost')).toEqual(['lost'])
    expect([ids('gone'), ids(null)]).toEqual([[], []])
  })
})

describe('the key among siblings', () => {
  const key = (name: string, parentId: string | null = null) =>
    siblingKey(folderRules, { name, parentId, description: '' })

  it('is one for names that differ by case and by how they are encoded', () => {
    for (const name of ['Caf\u00e9', 'CAF\u00c9', 'cafe\u0301']) expect(key(name)).toBe(key('caf\u00e9'))
    expect(key('cafe')).not.toBe(key('caf\u00e9'))
  })

  it('is another where it stands in another', () => {
    expect(key('a', 'FOLD_1')).not.toBe(key('a'))
    expect(
      siblingKey(categoryRules, { name: 'a', parentId: null, description: '', taxonomyId: 'TAXO_1' }),
    ).not.toBe(key('a'))
  })
})
