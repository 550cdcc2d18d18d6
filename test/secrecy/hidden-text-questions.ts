import { contract, type Endpoint } from '@quire/contract'

/** The ids and names of the existing content. */
export interface Scope {
  readonly configId: string
  readonly packageName: string
  /** Items that everyone may read. One of them is referred to by hidden items. */
  readonly open: string
  readonly hidden: string
  readonly asset: string
  readonly folder: string
  readonly taxonomyId: string
  readonly categoryId: string
}

/** A request in the form of the contract. */
export interface TextQuestion {
  readonly name: string
  readonly endpoint: Endpoint
  readonly input: object
}

const everyFacet = ['type', 'status', 'folderId', 'categories', 'fields.title', 'fields.tags', 'fields.note']

/**
 * Requests by accounts with all permissions except reading some items: everything that could reveal
 * the texts of these items.
 */
export function hiddenTextQuestions(scope: Scope, words: readonly string[]): readonly TextQuestion[] {
  return [
    ...onBranch(scope, {}, words),
    ...onBranch(scope, { packageName: scope.packageName }, words),
    ...others(scope),
  ]
}

type BranchRef = { readonly packageName?: string }

function onBranch(scope: Scope, branch: BranchRef, words: readonly string[]): readonly TextQuestion[] {
  const { configId, open, hidden, asset, folder, taxonomyId, categoryId } = scope
  const at = { configId, ...branch }
  const { items, assets, queries, folders, taxonomies, categories } = contract
  const ids = [open, hidden, asset]
  return [
    ...searches(at, words),
    ...ids.flatMap((id) => [
      asked('an item', items.get, { ...at, id, include: ['related'], select: ['text', 'fields', 'name'] }),
      asked('its versions', items.versions, { ...at, id }),
      asked('a difference', items.diff, { ...at, id, from: '1' }),
      asked('a file', assets.get, { ...at, assetId: id, rendition: 'original' }),
      asked('renditions', contract.renditions.list, { ...at, assetId: id }),
      asked('references', contract.references.items, { ...at, itemId: id }),
      asked('dependencies', contract.dependencies.get, { ...at, itemId: id, depth: 10 }),
      asked('activity', contract.activity.get, { ...at, assetId: id }),
      asked('a deletion', items.delete, { ...at, id, dryRun: true }),
      asked('a change', items.update, { ...at, id, description: 'seen', dryRun: true }),
    ]),
    asked('a bulk', items.bulk, { ...at, action: 'delete', ids, dryRun: true, atomic: false }),
    asked('an archive', assets.zip, { ...at, ids }),
    asked('facets', queries.run, { ...at, facets: everyFacet }),
    asked('folders', folders.list, at),
    asked('a tree', folders.tree, at),
    asked('a folder’s end', folders.delete, { ...at, id: folder, recursive: true, dryRun: true }),
    asked('a taxonomy’s end', taxonomies.delete, { ...at, id: taxonomyId, recursive: true, dryRun: true }),
    asked('a category’s end', categories.delete, { ...at, taxonomyId, id: categoryId, dryRun: true }),
  ]
}

/** The searched text is only in the request and nowhere else. */
function searches(at: object, words: readonly string[]): readonly TextQuestion[] {
  const { items, queries } = contract
  return words.flatMap((text) => [
    asked('a search', items.list, { ...at, text }),
    asked('a query', queries.run, { ...at, text, highlight: true, facets: everyFacet }),
    asked('a beginning', queries.run, { ...at, text: text.slice(0, 5), highlight: true, limit: 1 }),
    asked('a filter', queries.run, { ...at, filter: { 'fields.title': { startsWith: text.slice(0, 3) } } }),
    asked('what is not', queries.run, { ...at, filter: { not: { name: text } }, facets: everyFacet }),
    asked('a kept query', queries.runSaved, { ...at, name: 'words', parameters: { words: text } }),
  ])
}

function others({ configId, packageName, hidden, asset, open }: Scope): readonly TextQuestion[] {
  const { packages, activity, admin } = contract
  const onPackage = { repo: configId, packageName }
  return [
    asked('the log', activity.list, { configId, limit: 1000 }),
    ...[hidden, asset, open].map((entityId) => asked('a log', activity.list, { configId, entityId })),
    ...[packages.get, packages.changes, packages.diff, packages.conflicts].map((endpoint) =>
      asked('a package', endpoint, onPackage),
    ),
    asked('a merge', packages.merge, { ...onPackage, dryRun: true }),
    asked('a sync', packages.sync, { ...onPackage, dryRun: true }),
    asked('a change of a package', packages.removeChange, { ...onPackage, entityId: hidden }),
    asked('the kept queries', contract.savedQueries.list, { configId }),
    asked('the indexes', admin.indexes, {}),
    asked('an index', admin.index, { id: configId }),
    asked('a rebuild', admin.rebuildIndex, { id: configId }),
  ]
}

function asked(name: string, endpoint: Endpoint, input: object): TextQuestion {
  return { name, endpoint, input }
}
