import type { ContentType } from '@quire/contract'
import type { Entity, EntityRoles, EntityVersion, EntityWrite, Line, Transaction } from '../ports/index.ts'
import { StoreConflict } from '../ports/index.ts'
import { marksOf, presentItem, surroundingsOf } from './present.ts'

/**
 * The line that shows what is published: main, with the published versions over those items whose draft is ahead. So filters, sorts
 * and words see what is published and never a draft, at no cost where nobody is drafting. No package has this id.
 */
export function publishedLine(repositoryId: string): Line {
  return { repositoryId, packageId: 'published' }
}

/** What makes rows of a head. */
export type Derive = (head: Entity, type: ContentType) => EntityWrite

/** A head of main that was written, and how rows are made of one. */
export interface Written {
  readonly head: Entity
  readonly type: ContentType
  readonly derive: Derive
  /** Whether what is derived is to be written anew though nothing else changed. */
  readonly isRederived?: boolean
}

/** Keeps the line of what is published in step with a head of main, in the transaction that writes it. */
export async function followPublished(
  tx: Transaction,
  { head, type, derive, isRederived = false }: Written,
): Promise<void> {
  // The first version of an item was never published before.
  if (head.packageId !== null || head.revision === 1) return
  const line = publishedLine(head.repositoryId)
  const own = await ownHead(tx, line, head.id)
  if (!isDraftAhead(head)) {
    await requireFreeSlug(tx, line, head)
    return dropShown(tx, line, own)
  }
  const shown = await tx.entities.version({ ...line, packageId: null }, head, head.publishedVersion)
  if (!shown) return dropShown(tx, line, own)
  const roles = readersOf(head, shown)
  if (!isRederived && isShownAlready(own, head, roles)) return
  await putShown(tx, { line, own, type, derive, shown: publishedHead({ head, shown, roles }) })
}

async function dropShown(tx: Transaction, line: Line, own: Entity | null): Promise<void> {
  if (own) await tx.entities.purge(line, own)
}

/**
 * Two items are not published under one slug: who gives a slug away in a draft has it until that draft is published.
 * Errors: StoreConflict `slug`.
 */
async function requireFreeSlug(tx: Transaction, line: Line, head: Entity): Promise<void> {
  const { slug, publishedVersion, version, archived, deletedDate } = head
  if (slug === null || publishedVersion !== version || archived || deletedDate !== null) return
  const holder = await tx.entities.getBySlug(line, 'item', slug)
  if (holder && holder.id !== head.id && holder.packageId === line.packageId)
    throw new StoreConflict('slug', slug)
}

/** The head that this line itself holds. */
async function ownHead(tx: Transaction, line: Line, id: string): Promise<Entity | null> {
  const head = await tx.entities.get(line, 'item', id)
  return head?.packageId === line.packageId ? head : null
}

function isShownAlready(own: Entity | null, { publishedDate }: Entity, { read }: EntityRoles): boolean {
  return own?.publishedDate === publishedDate && own.roles.read.join() === read.join()
}

function isDraftAhead(head: Entity): head is Entity & { publishedVersion: number } {
  const { publishedVersion, version, archived, deletedDate } = head
  return publishedVersion !== null && publishedVersion !== version && !archived && deletedDate === null
}

/** Whoever limits reading in a draft means it now; what was limited when it was published stays so. */
function readersOf(head: Entity, shown: EntityVersion): EntityRoles {
  return { ...head.roles, read: head.roles.read.length > 0 ? head.roles.read : shown.roles.read }
}

interface ToShow {
  readonly head: Entity
  readonly shown: EntityVersion
  readonly roles: EntityRoles
}

/** The published version as a head of its line: version 1 there, and published. What it presents has the true numbers. */
function publishedHead({ head, shown, roles }: ToShow): Entity {
  const { packageId } = publishedLine(head.repositoryId)
  const item = presentItem(head, shown, { marks: marksOf(head), around: surroundingsOf(head) })
  const { type, name, slug, parentId, body, savedDate, savedBy } = shown
  return {
    ...head,
    type,
    name,
    slug,
    parentId,
    body,
    roles,
    packageId,
    version: 1,
    revision: 1,
    base: null,
    publishedVersion: 1,
    updatedDate: savedDate,
    updatedBy: savedBy,
    presentation: JSON.stringify(item),
  }
}

interface Shown {
  readonly line: Line
  readonly own: Entity | null
  readonly type: ContentType
  readonly derive: Derive
  readonly shown: Entity
}

/** Where another item has come to use the slug meanwhile, it is that one's: this one is found by its id. */
async function putShown(tx: Transaction, { line, own, type, derive, shown }: Shown): Promise<void> {
  // Its version is always the first: what that said before goes with it.
  if (own) await tx.entities.purge(line, own)
  const put = (head: Entity) => tx.nested((inner) => inner.entities.put(derive(head, type), 0))
  try {
    await put(shown)
  } catch (error) {
    if (!(error instanceof StoreConflict) || error.kind !== 'slug') throw error
    await put({ ...shown, slug: null })
  }
}
