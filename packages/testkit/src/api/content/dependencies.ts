import type { Api } from '@quire/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectedGraph, inOrder, randomGraph, type KnownGraph } from './random-graph.ts'
import { anArticle } from '../delivery/magazine.ts'
import type { Bench } from '../host.ts'

const configId = 'magazine'
const nowhere = 'CONT_01JB2Q4YQ6S0M5W8V9TZ3XKD7E'

/** What an item needs, and what needs it. The magazine must be prepared. */
export function dependencyTests(bench: () => Bench): void {
  const article = (name: string, related: readonly string[], more = {}) =>
    bench().system.items.create(anArticle({ name, fields: { title: name, related: [...related] }, ...more }))

  describe('dependencies', () => {
    it('go in both directions to a given depth, through cycles, and report what is missing', async () => {
      const { dependencies, items } = bench().api
      const gone = await article('Gone', [])
      const far = await article('Far', [gone.id])
      const near = await article('Near', [far.id])
      const start = await article('Start', [near.id, nowhere])
      await items.update({ configId, id: far.id, fields: { related: [gone.id, start.id, far.id] } })
      const at = { configId, itemId: start.id }
      const visible = async (depth: number) => {
        const { needs, neededBy } = await dependencies.get({ ...at, depth })
        return {
          needs: needs.nodes.map(({ id, depth: away }) => [id, away]),
          neededBy: neededBy.nodes.map(({ id, depth: away }) => [id, away]),
        }
      }
      const one = await dependencies.get(at)
      expect(one.needs.nodes).toEqual([
        { id: start.id, kind: 'item', name: 'Start', type: 'article', depth: 0, isMissing: false },
        { id: nowhere, kind: 'item', name: null, type: null, depth: 1, isMissing: true },
        { id: near.id, kind: 'item', name: 'Near', type: 'article', depth: 1, isMissing: false },
      ])
      const edge = { from: start.id, path: 'related', onDelete: 'unset' }
      expect(one.needs).toMatchObject({
        edges: [
          { ...edge, to: nowhere },
          { ...edge, to: near.id },
        ],
        isTruncated: false,
      })
      expect(one.neededBy.nodes.map(({ id }) => id)).toEqual([start.id, far.id])
      const [root, missing, next] = [start.id, nowhere, near.id].map((id, index) => [id, Number(index > 0)])
      expect(await visible(10)).toEqual({
        needs: [root, missing, next, [far.id, 2], [gone.id, 3]],
        neededBy: [root, [far.id, 1], [near.id, 2]],
      })
      expect((await visible(2)).needs).toEqual([root, missing, next, [far.id, 2]])
    })

    it('include the categories and folders of an item with their ancestors, for callers who may see them', async () => {
      const { system, as } = bench()
      const { folders, taxonomies, categories } = system
      const above = await folders.create({ configId, name: 'Above' })
      const below = await folders.create({ configId, name: 'Below', parentId: above.id })
      const topics = await taxonomies.create({ configId, name: 'Topics' })
      const ink = await categories.create({ configId, taxonomyId: topics.id, name: 'Ink' })
      const { id } = await article('Placed', [], { folderId: below.id, categories: [ink.id] })
      const needs = async (api: Api) => {
        const graph = (await api.dependencies.get({ configId, itemId: id, depth: 2 })).needs
        return graph.nodes.slice(1).map((node) => [node.kind, node.name, node.depth])
      }
      expect(await needs(bench().api)).toEqual([
        ['category', 'Ink', 1],
        ['folder', 'Below', 1],
        ['taxonomy', 'Topics', 2],
        ['folder', 'Above', 2],
      ])
      const reader = await as({ permissions: { global: ['items.read'] } })
      expect(await needs(reader)).toEqual([
        ['category', null, 1],
        ['folder', null, 1],
      ])
    })

    it('report when there are more than one call reads', async () => {
      const { dependencies } = bench().api
      const targets = Array.from({ length: 1100 }, (_, index) => `CONT_${String(index).padStart(26, '0')}`)
      const { id } = await article('Hub', targets)
      const { needs, neededBy } = await dependencies.get({ configId, itemId: id })
      expect(needs).toMatchObject({ isTruncated: true })
      expect(needs.nodes).toHaveLength(1001)
      expect(needs.edges).toHaveLength(1000)
      expect(neededBy).toMatchObject({ isTruncated: false, edges: [] })
    })
  })

  describe.each([1, 2, 3])('dependencies in a random graph (seed %i)', (seed) => {
    let graph: KnownGraph
    let reader: Api
    beforeAll(async () => {
      graph = await randomGraph(bench().system, seed)
      reader = await bench().as({ bundles: ['bundle.viewer'] })
    })

    it.each(['main', 'the package'])('equal those found by brute force (on %s)', async (name) => {
      const { packageName, main, overlaid, closed } = graph
      const [links, branch] = name === 'main' ? [main, {}] : [overlaid, { packageName }]
      for (const id of [...links.keys()].filter((one) => !closed.has(one))) {
        for (const depth of [1, 2, 10]) {
          const answer = await reader.dependencies.get({ configId, itemId: id, depth, ...branch })
          const asked = { links, id, depth }
          expect(inOrder(answer.needs)).toEqual(expectedGraph(graph, { ...asked, end: 'from' }))
          expect(inOrder(answer.neededBy)).toEqual(expectedGraph(graph, { ...asked, end: 'to' }))
          const depths = answer.needs.nodes.map((node) => node.depth)
          expect(depths).toEqual(depths.toSorted((a, b) => a - b))
        }
      }
    })
  })
}
