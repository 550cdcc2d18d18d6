import { limits } from '@quire/contract'
import type { Job, JobQuery } from '../ports/index.ts'
import type { Call } from './call.ts'
import { badCursor, decodeCursor, encodeCursor, type PageInput } from './paging.ts'

/** A page of jobs, the newest first: the cursor is the id of the last one. Errors: `invalid`. */
export async function pageOfJobs<T>(
  { store }: Call,
  narrowed: Omit<JobQuery, 'before' | 'limit'>,
  { limit = limits.pageDefault, cursor, present }: PageInput & { present: (job: Job) => T },
): Promise<{ items: T[]; nextCursor?: string }> {
  const before = cursor === undefined ? undefined : idIn(cursor)
  const found = await store.jobs.list({
    ...narrowed,
    limit: limit + 1,
    ...(before !== undefined && { before }),
  })
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  const nextCursor = found.length > limit && last ? encodeCursor(last.id) : undefined
  return { items: shown.map(present), ...(nextCursor !== undefined && { nextCursor }) }
}

function idIn(cursor: string): string {
  const id = decodeCursor(cursor)
  if (typeof id !== 'string') throw badCursor()
  return id
}
