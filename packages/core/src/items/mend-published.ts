import type { Environment } from '../call/environment.ts'
import type { Entity, Line, PageCursor } from '../ports/index.ts'
import { publishedLine } from './published-line.ts'
import { showPublished } from './save.ts'

// Items that one transaction looks at.
const atOnce = 200

const draftAhead = {
  all: [
    { field: { member: 'published' }, op: 'eq', value: true },
    { field: { member: 'status' }, op: 'eq', value: 'draft' },
  ],
} as const

/**
 * Shows what is published of items whose draft is ahead, where a version of before did not: what it kept is not on that line yet. Does
 * nothing where all is shown. Answers how many were missing.
 */
export async function mendPublished({ store }: Pick<Environment, 'store'>): Promise<number> {
  let mended = 0
  for (const { id } of await store.records.list('repository')) {
    const main: Line = { repositoryId: id, packageId: null }
    let after: PageCursor | undefined
    do {
      const page = await store.entities.list(main, {
        kind: 'item',
        reader: { types: 'all', roles: 'all' },
        filter: draftAhead,
        archived: false,
        sort: [],
        limit: atOnce,
        count: false,
        ...(after && { after }),
      })
      after = page.next
      mended += await mend(
        { store },
        main,
        page.entities.map((head) => head.id),
      )
    } while (after)
  }
  return mended
}

async function mend(
  { store }: Pick<Environment, 'store'>,
  main: Line,
  ids: readonly string[],
): Promise<number> {
  const missing = await unshown({ store }, main, ids)
  if (missing.length === 0) return 0
  await store.transaction(async (tx) => {
    for (const head of await tx.entities.getMany(main, 'item', missing)) {
      const type = await tx.records.find('type', `name:${head.type}`)
      if (type) await showPublished(tx, head, type)
    }
  })
  return missing.length
}

async function unshown(
  { store }: Pick<Environment, 'store'>,
  { repositoryId }: Line,
  ids: readonly string[],
) {
  const line = publishedLine(repositoryId)
  const shown = await store.entities.getMany(line, 'item', ids)
  return shown.filter((head: Entity) => head.packageId !== line.packageId).map(({ id }) => id)
}
