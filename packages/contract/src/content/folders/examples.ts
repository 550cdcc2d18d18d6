import type { z } from 'zod'
import { exampleItem } from '../items/examples.ts'
import type { Folder, FolderNode } from './shapes.ts'

const { repositoryId, createdDate, createdByUser } = exampleItem

/** The members that folders, taxonomies and categories share in the examples of the reference. */
export const exampleSaved = {
  repositoryId,
  packageName: null,
  currentVersion: 1,
  createdDate,
  createdByUser,
  updatedDate: createdDate,
  updatedByUser: createdByUser,
}

/** A folder, as the examples of the reference show it. */
export const exampleFolder: Folder = {
  id: 'FOLD_01JB2Q5B8D0F2H4K6M8P0R2T4V',
  name: 'Spring issue',
  description: '',
  parentId: 'FOLD_01JB2Q5A7C9E1G3J5M7P9R1T3V',
  ...exampleSaved,
  path: [{ id: 'FOLD_01JB2Q5A7C9E1G3J5M7P9R1T3V', name: 'Issues' }],
}

/** The tree of the example folder. */
export const exampleTree: z.output<typeof FolderNode>[] = [
  { id: 'FOLD_01JB2Q5A7C9E1G3J5M7P9R1T3V', name: 'Issues', parentId: null, depth: 1 },
  { id: exampleFolder.id, name: exampleFolder.name, parentId: exampleFolder.parentId, depth: 2 },
]

/** The path of the example folder. */
export const exampleFolderPath = { configId: 'magazine', id: exampleFolder.id }
