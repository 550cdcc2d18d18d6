import type { Migration } from '../migration.ts'
import { firstSchema } from './first-schema.ts'
import { jobBodies } from './job-bodies.ts'
import { jobIndexes } from '../jobs/job-indexes.ts'
import { valueLists } from './value-lists.ts'

/** Every step, in order. A step that was released is never changed: the next one repairs it. */
export const postgresMigrations: readonly Migration[] = [
  { version: 1, sql: firstSchema },
  { version: 2, sql: valueLists },
  { version: 3, sql: jobBodies },
  { version: 4, sql: jobIndexes },
]
