import type { ImportPlan } from './shapes.ts'

/** Stands for an export file. */
export const exampleExportFile = new File(['PK'], 'magazine.zip', { type: 'application/zip' })

/** A plan that creates one item. */
export const exampleImportPlan: ImportPlan = {
  planId: '5b1f8a6f2c4e7d90a3c4e7d905b1f8a6f2c4e7d90a3c4e7d905b1f8a6f2c4e7d',
  applied: false,
  package: null,
  counts: { create: 1, update: 0, delete: 0, unchanged: 41, convert: 0, refuse: 0, conflicts: 0 },
  types: [],
  changes: [
    {
      entity: {
        kind: 'item',
        id: 'CONT_01JB2Q3C7N9H2R4F6G8J0KMPXW',
        name: 'Iron gall ink',
        type: 'article',
        slug: 'iron-gall-ink',
      },
      kind: 'create',
      at: 'content/item-0001.ndjson:42',
    },
  ],
  refuse: [],
  conflicts: [],
}
