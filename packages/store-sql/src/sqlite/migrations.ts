import { baseMarks } from './base-marks.ts'
import { firstSchema } from './first-schema.ts'
import { folderLists } from './folder-lists.ts'
import type { Migration } from '../migration.ts'
import { jobBodies } from './job-bodies.ts'
import { jobIndexes } from '../jobs/job-indexes.ts'
import { jobQueue } from './job-queue.ts'
import { searchSettings } from './search-settings.ts'
import { neededBlobs } from './needed-blobs.ts'
import { searchDocuments } from './search-documents.ts'
import { upkeep } from './upkeep.ts'

/** Every step, in order. A step that was released is never changed: the next one repairs it. */
export const sqliteMigrations: readonly Migration[] = [
  { version: 1, sql: firstSchema },
  { version: 2, sql: baseMarks },
  { version: 3, sql: searchSettings },
  { version: 4, sql: neededBlobs },
  { version: 5, sql: searchDocuments },
  { version: 6, sql: folderLists },
  { version: 7, sql: jobQueue },
  { version: 8, sql: upkeep },
  { version: 9, sql: jobBodies },
  { version: 10, sql: jobIndexes },
]
