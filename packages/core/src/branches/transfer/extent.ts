import type { Contract, ExportManifest, ParsedOf } from '@quire/contract'
import { contentOf } from '../../content/items/content.ts'
import { foldersWithin, namesOn, pageOn } from '../../content/items/listing.ts'
import { folderRules } from '../../content/folders/kind.ts'
import { ancestorsOf, lookupOn, type Ancestor } from '../../content/structure/ancestors.ts'
import { findStructure } from '../../content/structure/find.ts'
import type { StructureName } from '../../content/structure/kind.ts'
import { requirePermission, type Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { findScope, type Scope } from '../../engine/scope.ts'
import type { EntityKind } from '../../ports/index.ts'

type Input = ParsedOf<Contract['repositories']['export']>

/** What an export covers. */
export interface Extent extends Pick<ExportManifest, 'extent' | 'folderId'> {
  /** The branch that is read. */
  readonly scope: Scope
  /** The entities by kind; null: all that exactly this branch holds. */
  readonly ids: ReadonlyMap<EntityKind, readonly string[]> | null
  /** Whether nothing in the extent is kept from the caller, as far as is known before it is read. */
  readonly complete: boolean
}

/**
 * What an export covers. Errors: `not_found` for the repository, package or folder; `invalid` for
 * more than one extent, and for what is no query.
 */
export async function extentOf(call: Call, input: Input): Promise<Extent> {
  const { id: configId, packageName, folderId, query } = input
  const [, second] = Object.entries({ packageName, folderId, query }).filter(
    ([, value]) => value !== undefined,
  )
  if (second)
    throw invalid([{ path: second[0], message: 'cannot be combined: export a package, a folder or a query' }])
  const scope = await findScope(call, { configId, ...(packageName !== undefined && { packageName }) })
  if (folderId !== undefined) return folderExtent(call, scope, folderId)
  if (query !== undefined) return { ...(await itemsFound(call, scope, { query })), extent: 'query' }
  const extent = packageName === undefined ? 'repository' : 'package'
  return { extent, scope, ids: null, complete: true }
}

/** A folder with all that is in it, at any depth. Errors: `not_found`. */
async function folderExtent(call: Call, scope: Scope, folderId: string): Promise<Extent> {
  requirePermission(call, folderRules.keys.read, scope.branch)
  await findStructure(call, scope, { rules: folderRules, id: folderId })
  const folders = await foldersWithin(call.store.entities, scope.branch, folderId)
  const within = await itemsFound(call, scope, { query: { folderId, recursive: true }, folders })
  return { ...within, extent: 'folder', folderId }
}

interface Listed {
  readonly query: NonNullable<Input['query']>
  /** Folders to export besides. */
  readonly folders?: readonly string[]
}

/** The items that a list finds, with the folders and categories that they are in, and what those are in. */
async function itemsFound(
  call: Call,
  scope: Scope,
  { query, folders: more = [] }: Listed,
): Promise<Omit<Extent, 'extent'>> {
  const items: string[] = []
  const folders = new Set(more)
  const categories = new Set<string>()
  const listed = { archived: true, ...query, sort: 'createdDate', limit: itemsAtOnce, skipCount: true }
  let cursor: string | undefined
  do {
    call.signal?.throwIfAborted()
    const { page, nextCursor } = await pageOn(call, {
      scope,
      input: { ...listed, ...(cursor !== undefined && { cursor }) },
    })
    const ids = page.entities.map(({ id }) => id)
    items.push(...ids)
    for (const head of await call.store.entities.getMany(scope.branch, 'item', ids)) {
      if (head.parentId !== null) folders.add(head.parentId)
      for (const id of contentOf(head).categories) categories.add(id)
    }
    cursor = nextCursor
  } while (cursor !== undefined)
  const tree = await withParents(call, scope, { kind: 'category', ids: categories })
  const path = await withParents(call, scope, { kind: 'folder', ids: folders })
  const taxonomies = tree.map(({ body }) => body['taxonomyId']).filter((id) => typeof id === 'string')
  const ids = new Map<EntityKind, readonly string[]>([
    ['taxonomy', [...new Set(taxonomies)].toSorted()],
    ['category', tree.map(({ id }) => id)],
    ['folder', path.map(({ id }) => id)],
    ['item', items.toSorted()],
  ])
  // Whether there are others would tell what they contain, one query after another.
  const { reader } = await namesOn(call, scope, undefined)
  return { scope, ids, complete: reader.types === 'all' && reader.roles === 'all' }
}

const itemsAtOnce = 500

/** The given folders or categories and all above them. */
async function withParents(
  { store }: Call,
  { branch }: Scope,
  { kind, ids }: { kind: StructureName; ids: ReadonlySet<string> },
): Promise<readonly Ancestor[]> {
  const pathTo = await ancestorsOf(lookupOn(store.entities, branch, kind), [...ids])
  return [...new Map([...ids].flatMap(pathTo).map((found) => [found.id, found])).values()]
}
