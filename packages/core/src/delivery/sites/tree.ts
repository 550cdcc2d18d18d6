import { limits, type Contract, type OutputOf, type ParsedOf } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { openSite } from './find.ts'
import { readSiteMap } from './read-site-map.ts'
import type { PageNode, SectionNode } from './site-map.ts'

type Tree = OutputOf<Contract['sites']['tree']>
type Node = Tree['items'][number]

/** The sections and pages of a site with their addresses. Errors: `not_found`, `forbidden`; `invalid` for more than one answer holds. */
export async function readSiteTree(call: Call, input: ParsedOf<Contract['sites']['tree']>): Promise<Tree> {
  const { scope, site } = await openSite(call, input, 'read')
  const map = await readSiteMap(call, scope.branch, site)
  const count = map.sections.size + map.pages.size
  if (count > limits.treeNodes)
    throw invalid([
      { path: 'siteId', message: `holds more than ${limits.treeNodes} sections and pages: list them` },
    ])
  return { count, items: map.top.flatMap((node) => nodesOf(node, 1)) }
}

function nodesOf(node: SectionNode, depth: number): Node[] {
  return [
    sectionNode(node, depth),
    ...node.pages.map((page) => pageNode(page, depth + 1)),
    ...node.sections.flatMap((inner) => nodesOf(inner, depth + 1)),
  ]
}

function sectionNode({ section, path }: SectionNode, depth: number): Node {
  const { id, name, slug, parentId } = section
  return {
    kind: 'section',
    id,
    name,
    slug,
    parentId,
    depth,
    path,
    isRoot: false,
    itemId: null,
    visible: true,
  }
}

function pageNode({ page, path, isRoot }: PageNode, depth: number): Node {
  const { id, name, slug, sectionId, itemId, visible } = page
  return { kind: 'page', id, name, slug, parentId: sectionId, depth, path, isRoot, itemId, visible }
}
