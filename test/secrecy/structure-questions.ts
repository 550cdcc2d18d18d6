import { words } from './question-names.ts'
import type { Question } from './questions.ts'
import { repository as configId } from './world-content.ts'
import { packageNames, sharedPackage } from './world-hidden.ts'
import type { Structure } from './world-structure.ts'

type Input = Question['input']
type Group = Question['group']

const branches: readonly Input[] = [
  {},
  ...[...packageNames, sharedPackage].map((packageName) => ({ packageName })),
]

function onBranches(group: Group, operation: string, inputs: readonly Input[]): Question[] {
  return branches.flatMap((branch) =>
    inputs.map((input) => ({ group, operation, input: { configId, ...branch, ...input } })),
  )
}

/** All requests for folders and their contents. */
function folderQuestions({ folders, plain, closed }: Structure): Question[] {
  const all = [...folders, plain, closed, 'FOLD_0']
  const each = all.map((id) => ({ id }))
  // Deleting this folder reveals that it contains undeletable items. Both worlds have such items in
  // it.
  const going = [plain, closed].flatMap((id) => [
    { id, dryRun: true },
    { id, dryRun: true, recursive: true },
  ])
  return [
    ...onBranches('folders', 'list', [{}, { limit: 1 }, ...all.map((parentId) => ({ parentId }))]),
    ...onBranches(
      'folders',
      'list',
      words.map((text) => ({ text })),
    ),
    ...onBranches('folders', 'tree', [{}, { depth: 1 }, ...all.map((parentId) => ({ parentId }))]),
    ...onBranches('folders', 'get', each),
    ...onBranches('folders', 'delete', going),
    ...onBranches(
      'items',
      'list',
      all.flatMap((folderId) => [{ folderId }, { folderId, recursive: true }]),
    ),
    ...onBranches(
      'queries',
      'run',
      all.map((folderId) => ({ filter: { folderId }, facets: ['folderId'] })),
    ),
  ]
}

/** All requests for categories and the items in them. */
function categoryQuestions({ taxonomyId, categories }: Structure): Question[] {
  const all = [...categories, 'CATG_0']
  const each = all.map((id) => ({ taxonomyId, id }))
  const going = (ref: Input) => [
    { ...ref, dryRun: true },
    { ...ref, dryRun: true, recursive: true },
  ]
  return [
    ...onBranches('taxonomies', 'list', [{}, ...words.map((text) => ({ text }))]),
    ...onBranches('taxonomies', 'get', [{ id: taxonomyId }]),
    ...onBranches('taxonomies', 'delete', going({ id: taxonomyId })),
    ...onBranches('categories', 'list', [{ taxonomyId }, ...words.map((text) => ({ taxonomyId, text }))]),
    ...onBranches('categories', 'get', each),
    ...onBranches('categories', 'delete', each.flatMap(going)),
    ...onBranches(
      'items',
      'list',
      all.map((id) => ({ filter: { categories: id } })),
    ),
    ...onBranches(
      'queries',
      'run',
      all.map((id) => ({ filter: { categories: { in: [id] } }, facets: ['categories'] })),
    ),
  ]
}

/**
 * All requests for references to items, for their activity, and for the consequences of deleting
 * them.
 */
function itemQuestions(ids: readonly string[]): Question[] {
  const each = (name: string, ...more: readonly Input[]) =>
    ids.flatMap((id) => [{}, ...more].map((input) => ({ [name]: id, ...input })))
  return [
    ...onBranches('references', 'items', each('itemId', { limit: 1 }, { limit: 1, skipCount: true })),
    ...onBranches('dependencies', 'get', each('itemId', { depth: 3 }, { depth: 10 })),
    ...onBranches('activity', 'get', each('assetId', { limit: 1 })),
    ...onBranches(
      'items',
      'delete',
      each('id').map((ref) => ({ ...ref, dryRun: true })),
    ),
    ...onBranches('items', 'bulk', [{ action: 'delete', ids, dryRun: true, atomic: false }]),
  ]
}

const events = ['ITEM_CREATED', 'ITEM_UPDATED', 'ITEM_CATEGORIZED', 'PACKAGE_ITEM_ADDED', 'FOLDER_UPDATED']

function logQuestions(ids: readonly string[]): Question[] {
  const filters: Input[] = [
    {},
    { limit: 2 },
    { limit: 1, since: 1_749_988_810_000 },
    { until: 1_749_988_812_000 },
    ...ids.flatMap((entityId) => [{ entityId }, { entityId, limit: 1 }]),
    ...[...packageNames, sharedPackage].map((packageName) => ({ packageName })),
    ...['system:world', 'ada@example.org', 'ben@example.org'].map((user) => ({ user })),
    ...events.map((event) => ({ event, limit: 2 })),
  ]
  return filters.map((input) => ({ group: 'activity', operation: 'list', input: { configId, ...input } }))
}

/**
 * All requests for folders, categories, references and activity, and for indexes, which also count
 * hidden content.
 */
export function structureQuestions(ids: readonly string[], structure: Structure): Question[] {
  const { folders, plain, closed, taxonomyId, categories } = structure
  return [
    ...folderQuestions(structure),
    ...categoryQuestions(structure),
    ...itemQuestions(ids),
    ...logQuestions([...ids, ...folders, plain, closed, taxonomyId, ...categories]),
    { group: 'admin', operation: 'indexes', input: {} },
    { group: 'admin', operation: 'index', input: { id: configId } },
  ]
}
