import { z } from 'zod'
import { Id, listInput, longListOf } from '../../conventions.ts'
import { endpoint, onBranch } from '../../endpoint.ts'
import { exampleItem, exampleItemPath } from '../items/examples.ts'
import { onRepository } from '../items/inputs.ts'
import { limits } from '../../limits.ts'
import { examplePage, exampleSection, exampleSite } from '../../delivery/sites/examples.ts'
import { SiteReference } from '../../delivery/sites/shapes.ts'
import { DependencyGraph, ItemReference } from './shapes.ts'

const { id, name, type, slug, status } = exampleItem
const { configId } = exampleItemPath
const author = { id: 'CONT_01JB2Q5B8D1F3H5K7M9P2R4T6V', name: 'Ada Byron', type: 'author' }
const exampleAuthor = { configId, itemId: author.id }
const exampleEdge = { from: id, to: author.id, path: 'author', onDelete: 'restrict' as const }
const exampleNodes = [
  { id, kind: 'item' as const, name, type, depth: 0, isMissing: false },
  { ...author, kind: 'item' as const, depth: 1, isMissing: false },
]

const onReferred = { ...onRepository, itemId: Id.describe('The item') }

/** Operations that find what refers to an item. */
export const references = {
  sites: endpoint({
    binding: onBranch('GET /api/references/{configId}/{assetId}/sites'),
    summary: 'List where an item is shown on sites (specification 4.7)',
    description:
      'One entry for each page that shows the item or an item that refers to it, on the sites that you may see. At most 1000.',
    permission: { key: 'items.read', on: 'item' },
    input: z.strictObject({ ...onRepository, assetId: Id.describe('The item') }),
    output: z.array(SiteReference),
    errors: ['not_found'],
    example: {
      input: { configId, assetId: id },
      output: [
        {
          siteId: exampleSite.id,
          siteName: exampleSite.name,
          sectionName: exampleSection.name,
          sectionSlug: exampleSection.slug,
          path: [{ name: exampleSection.name, slug: exampleSection.slug }],
          pageName: examplePage.name,
          pageSlug: examplePage.slug,
          isRoot: false,
          packageName: null,
        },
      ],
    },
  }),
  items: endpoint({
    binding: onBranch('GET /api/references/{configId}/{itemId}/items'),
    summary: 'List the items that refer to an item',
    description:
      'One entry for each referring field, ordered by the id of its item, then by path. Only items that you may read are listed and counted. A page can ' +
      'have fewer entries than `limit` and still have a next page.',
    permission: { key: 'items.read', on: 'item' },
    input: z.strictObject({
      ...onReferred,
      limit: listInput.limit,
      cursor: listInput.cursor,
      skipCount: listInput.skipCount,
    }),
    output: longListOf(ItemReference).extend({
      countIsCapped: z
        .boolean()
        .optional()
        .describe(
          `Whether there may be more references than \`count\`: at most ${limits.countedReferences} are examined`,
        ),
    }),
    errors: ['not_found'],
    example: {
      input: exampleAuthor,
      output: {
        count: 1,
        items: [{ item: { id, name, type, slug, status }, path: 'author', onDelete: 'restrict' }],
      },
    },
  }),
}

/** Operations that find what an item needs and what needs it. */
export const dependencies = {
  get: endpoint({
    binding: onBranch('GET /api/dependencies/{configId}/{itemId}'),
    summary: 'Read what an item needs, and what needs it',
    description:
      'In both directions, down to `depth`. An item needs the items, categories and folders that it refers to, and their ancestors. Entities that you may not read are ' +
      `marked as missing in \`needs\` and left out of \`neededBy\`; nothing is followed through them. At most ${limits.dependencies} nodes in each direction.`,
    permission: { key: 'items.read', on: 'item' },
    input: z.strictObject({
      ...onReferred,
      depth: z
        .int()
        .min(1)
        .max(limits.dependencyDepth)
        .default(1)
        .describe(`How many edges to follow, 1 to ${limits.dependencyDepth}`),
    }),
    output: z.object({
      needs: DependencyGraph.describe('What it refers to, and what that refers to'),
      neededBy: DependencyGraph.describe('What refers to it, and what refers to that'),
    }),
    errors: ['not_found'],
    example: {
      input: { configId, itemId: id, depth: 2 },
      output: {
        needs: { nodes: exampleNodes, edges: [exampleEdge], isTruncated: false },
        neededBy: { nodes: exampleNodes.slice(0, 1), edges: [], isTruncated: false },
      },
    },
  }),
}
