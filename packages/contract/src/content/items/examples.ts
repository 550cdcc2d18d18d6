import type { Item } from './shapes.ts'

const editor = { userName: 'ada@example.org', displayName: 'Ada Byron', email: 'ada@example.org' }

/** A published article, as the examples of the reference show it. */
export const exampleItem: Item = {
  id: 'CONT_01JB2Q4YQ6S0M5W8V9TZ3XKD7E',
  repositoryId: 'REPO_01JB2Q3C7N9H2R4F6G8J0KMPXW',
  name: 'Ink that remembers',
  type: 'article',
  slug: 'ink-that-remembers',
  slugSearch: 'ink that remembers',
  description: 'Why iron gall ink is still made',
  status: 'published',
  folderId: null,
  packageName: null,
  fields: { title: 'Ink that remembers', body: '<p>Oak galls, iron, patience.</p>', readingMinutes: 6 },
  taxonomies: [],
  currentVersion: 2,
  latestVersion: 2,
  isArchived: false,
  isPublished: true,
  isPreview: false,
  isLatest: true,
  isLatestPublished: true,
  createdDate: 1_790_000_000_000,
  updatedDate: 1_790_000_600_000,
  publishedDate: 1_790_000_700_000,
  readPerm: [],
  writePerm: [],
  deletePerm: [],
  createdByUser: editor,
  updatedByUser: editor,
  fileExtension: null,
  originalFileName: null,
  storage: null,
  asset: null,
  renditions: [],
  cardPreview: null,
  versionHistory: [
    { version: 2, updatedDate: 1_790_000_600_000, updatedByUser: editor },
    { version: 1, updatedDate: 1_790_000_000_000, updatedByUser: editor },
  ],
}

/** The example item before it was published. */
export const exampleDraft: Item = {
  ...exampleItem,
  status: 'draft',
  isPublished: false,
  isPreview: true,
  isLatestPublished: false,
  publishedDate: null,
}

/** The path of the example item. */
export const exampleItemPath = { configId: 'magazine', id: exampleItem.id }
