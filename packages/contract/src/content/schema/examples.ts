import { exampleJob } from '../../automation/queue/examples.ts'
import type { Job } from '../../automation/queue/shapes.ts'
import { exampleType } from '../types/examples.ts'
import type { SchemaPlan, TypeDefinition } from './shapes.ts'

const { name, displayName, apiName, description, settings, fields } = exampleType

export const exampleDefinition: TypeDefinition = { name, displayName, apiName, description, settings, fields }

export const exampleSchema = {
  types: [
    {
      name: 'article',
      displayName: 'Article',
      settings: { slugFrom: 'title', titleField: 'title' },
      fields: [
        { name: 'title', kind: 'text' as const, required: true },
        { name: 'rating', kind: 'number' as const, settings: { min: 0, max: 5 } },
      ],
    },
  ],
}

export const exampleSchemaPlan: SchemaPlan = {
  planId: '6f1c2d0e5a7b',
  applied: false,
  changes: [
    {
      type: 'article',
      kind: 'update',
      renamedFrom: null,
      members: [],
      fields: [{ path: 'rating', kind: 'create', from: null, members: [] }],
      convert: 0,
      lose: 0,
      needsMigrate: false,
      problem: null,
    },
  ],
  others: ['author'],
}

/** A job that compares a schema. */
export const examplePlanJob: Job = {
  ...exampleJob,
  kind: 'schema.plan',
  repositoryId: '',
  payload: { planId: exampleSchemaPlan.planId },
  progress: { done: 200_000, total: 1_000_000, message: 'items' },
}
