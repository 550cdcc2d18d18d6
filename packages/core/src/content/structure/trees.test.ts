import { anEntity } from '@quire/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { folderRules } from '../folders/kind.ts'
import { createMemoryStore } from '../../memory/index.ts'
import type { EntityReader } from '../../ports/index.ts'
import { categoryRules } from '../taxonomies/kinds.ts'
import { inTreeOrder, levelsOf, childrenOf, atTop, byName, byOrder } from './tree.ts'
import { ancestorsOf, lookupOn } from './ancestors.ts'
import { siblingKey } from './content.ts'

const { repositoryId } = anEntity()
const branch = { repositoryId, packageId: null }

/** A store with folders that have the given parents, without any checks. */
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
  it('are read from the first one down, as many as requested', async () => {
    const entities = await storeOf(family)
    const read = async (depth?: number) =>
      (await levelsOf(entities, branch, { kind: 'folder', first: atTop, depth, max: 100 })).map(
        ({ head, depth: at }) => `${at}${head.id}`,
      )
    expect(await read()).toEqual(['1a', '1e', '2b', '3c', '3d'])
    expect(await read(2)).toEqual(['1a', '1e', '2b'])
  })

  it('end with at most one node more than requested', async () => {
    const part = { kind: 'folder', first: atTop, max: 2 } as const
    expect(await levelsOf(await storeOf(family), branch, part)).toHaveLength(3)
  })

  it('end where a cycle closes', async () => {
    const entities = await storeOf({ a: 'c', b: 'a', c: 'b' })
    const nodes = await levelsOf(entities, branch, { kind: 'folder', first: childrenOf(['a']), max: 100 })
    expect(nodes.map(({ head }) => head.id)).toEqual(['b', 'c', 'a'])
    expect(inTreeOrder(nodes, byName).map(({ head }) => head.id)).toEqual(['b', 'c', 'a'])
  })

  it('contain each node once, after its parent, when they are in tree order', async () => {
    const parents = fc.array(fc.nat(20), { maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(parents, async (choices) => {
        // The parent of each is one that was made before it, or none.
        const ids = choices.map((_, index) => `f${index}`)
        const tree = choices.map(
          (choice, index) => [ids[index] ?? '', ids[(choice % (index + 1)) - 1] ?? null] as const,
        )
        const entities = await storeOf(Object.fromEntries(tree))
        const nodes = await levelsOf(entities, branch, { kind: 'folder', first: atTop, max: 100 })
        const order = inTreeOrder(nodes, byOrder).map(({ head }) => head.id)
        expect(order.toSorted()).toEqual(ids.toSorted())
        for (const [id, parent] of tree)
          expect(parent === null || order.indexOf(parent) < order.indexOf(id)).toBe(true)
      }),
    )
  })
})

describe('the ancestors of an entity', () => {
  it('come root first, and end where a parent is absent or a cycle closes', async () => {
    const entities = await storeOf({ ...family, x: 'y', y: 'x', lost: 'gone' })
    const pathTo = await ancestorsOf(lookupOn(entities, branch, 'folder'), ['b', 'x', 'lost', 'gone', null])
    const ids = (parentId: string | null) => pathTo(parentId).map(({ id }) => id)
    expect(ids('b')).toEqual(['a', 'b'])
    expect(ids('x')).toEqual(['y', 'x'])
    expect(ids('lost')).toEqual(['lost'])
    expect([ids('gone'), ids(null)]).toEqual([[], []])
  })
})

describe('the key among siblings', () => {
  const key = (name: string, parentId: string | null = null) =>
    siblingKey(folderRules, { name, parentId, description: '' })

  it('is the same for names that differ only in case or encoding', () => {
    for (const name of ['Caf\u00e9', 'CAF\u00c9', 'cafe\u0301']) expect(key(name)).toBe(key('caf\u00e9'))
    expect(key('cafe')).not.toBe(key('caf\u00e9'))
  })

  it('differs between parents and between taxonomies', () => {
    expect(key('a', 'FOLD_1')).not.toBe(key('a'))
    expect(
      siblingKey(categoryRules, { name: 'a', parentId: null, description: '', taxonomyId: 'TAXO_1' }),
    ).not.toBe(key('a'))
  })
})
