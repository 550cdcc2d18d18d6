import {
  type EntityRef,
  type EntityWrite,
  type EntityWriter,
  type Branch,
  StoreConflict,
} from '@quire/core/ports'
import type { Layer } from '../layer.ts'
import type { DocumentWrites } from '../search/document-statements.ts'
import { deleteDocument, insertDocument, putDocument } from '../search/write-document.ts'
import type { BranchWrites } from '../branch-writes.ts'
import { scopeOf } from '../branches.ts'
import type { WrittenPaths } from '../query/path-memo.ts'
import { chargeWrite, creditItem, creditVersions } from './charge.ts'
import { deleteDerived, insertDerived, insertValues } from './derived-rows.ts'
import { createEntityReader } from './entity-reader.ts'
import type { EntityReads } from './read-statements.ts'
import type { CurrentRow, EntityWrites } from './write-statements.ts'
import { type WrittenRows, rowsOf } from './written-rows.ts'

/** The statements that a transaction uses to write entities. */
export interface EntityStatements {
  readonly reads: EntityReads
  readonly writes: EntityWrites
  readonly documents: DocumentWrites
  readonly branches: BranchWrites
}

/** Reads and writes entities in a transaction. */
export function createEntityWriter(statements: EntityStatements, layer: Layer): EntityWriter {
  const { reads, writes, documents, branches } = statements
  return {
    ...createEntityReader(reads, layer),
    async put(entity, expectedRevision) {
      layer.requireOpen()
      layer.content.changed()
      const branch = await branches.intern(layer, entity)
      const current = await writes.current.get({ branch, kind: entity.kind, id: entity.id })
      requireRevision(entity, current, expectedRevision)
      await requireFreeSlug(writes, entity, { branch, main: mainOf(layer, entity) })
      const head = await writeRows({ writes, layer }, entity, { branch, current })
      layer.writtenHeads.forget(head)
      if (isLive(current)) await deleteDerived(writes, head)
      await writeDocument({ documents, layer }, entity, { head, branch, wasLive: isLive(current) })
      if (entity.deletedDate !== null) return
      await insertDerived(writes, entity, { head, branch })
      layer.written.add(pathsOf(entity, branch))
    },
    async forgetVersions(branch, { kind, id }, { before, retain }) {
      layer.requireOpen()
      layer.content.changed()
      const number = layer.branches.numberOf(branch)
      if (number === null) return
      const forget = branch.packageId === null ? writes.forgetUnbased : writes.forgetVersions
      const gone = await forget.all({ branch: number, kind, id, before, retain: retain ?? 0 })
      creditVersions(layer, branch, gone)
    },
    async describe(branch, { kind, id }, document) {
      layer.requireOpen()
      layer.content.changed()
      const number = layer.branches.numberOf(branch)
      const current = number === null ? undefined : await writes.current.get({ branch: number, kind, id })
      if (number === null || current?.[3] !== null) return
      const isChanged = await putDocument(documents, document, { head: current[0], branch: number, kind })
      if (isChanged) layer.indexed.add(1)
    },
    async addEmptyValues(head, paths) {
      layer.requireOpen()
      layer.content.changed()
      const { kind, id, type } = head
      const branch = await branches.intern(layer, head)
      const current = await writes.current.get({ branch, kind, id })
      if (current?.[3] !== null) return
      const values = paths.map((path) => ({ path, value: null }))
      await insertValues(writes, { ...head, values }, { head: current[0], branch })
      layer.written.add({ branch, kind, type, paths: new Set(paths) })
    },
    async purge(branch, ref) {
      layer.requireOpen()
      layer.content.changed()
      const number = layer.branches.numberOf(branch)
      if (number !== null) await purgeHead({ writes, documents, layer }, ref, { ...branch, number })
    },
  }
}

interface Indexing {
  readonly documents: DocumentWrites
  readonly layer: Layer
}

/**
 * Updates the head's document in the search index. A head that was not live has no earlier document
 * to compare with.
 */
async function writeDocument(
  { documents, layer }: Indexing,
  { kind, search, deletedDate }: EntityWrite,
  { head, branch, wasLive }: { head: number; branch: number; wasLive: boolean },
): Promise<void> {
  const scope = { head, branch, kind }
  let isChanged = wasLive
  if (search === null || deletedDate !== null) isChanged &&= await deleteDocument(documents, head)
  else if (wasLive) isChanged = await putDocument(documents, search, scope)
  else isChanged = await insertDocument(documents, search, scope)
  if (isChanged) layer.indexed.add(1)
}

function pathsOf({ kind, type, values }: EntityWrite, branch: number): WrittenPaths {
  return { branch, kind, type, paths: new Set(values.map(({ path }) => path)) }
}

function requireRevision(
  { id, revision }: EntityWrite,
  current: CurrentRow | undefined,
  expected: number,
): void {
  if ((current?.[1] ?? 0) !== expected) throw new StoreConflict('stale', id)
  if (revision !== expected + 1)
    throw new TypeError(`The revision of ${id} must be ${expected + 1}, not ${revision}.`)
}

function isLive(current: CurrentRow | undefined): boolean {
  return current !== undefined && current[3] === null
}

/** The number of main, for a package's branch; null on main itself. */
function mainOf(layer: Layer, branch: Branch): number | null {
  return branch.packageId === null ? null : scopeOf(layer.branches, branch).main
}

/**
 * Checks the slug against everything that the branch shows: its own live heads and, in a package,
 * those of main that it does not override.
 */
async function requireFreeSlug(
  writes: EntityWrites,
  { kind, id, slug, deletedDate }: EntityWrite,
  { branch, main }: { branch: number; main: number | null },
): Promise<void> {
  if (slug === null || deletedDate !== null) return
  const inUse =
    (await writes.slugInUse.get({ branch, kind, slug, id })) ??
    (main === null
      ? undefined
      : await writes.slugInUseVisible.get({ branch: main, over: branch, kind, slug, id }))
  if (inUse) throw new StoreConflict('slug', slug)
}

async function writeRows(
  { writes, layer }: { writes: EntityWrites; layer: Layer },
  entity: EntityWrite,
  { branch, current }: { branch: number; current: CurrentRow | undefined },
): Promise<number> {
  const rows = rowsOf(entity, branch)
  const { head, isHeld } = current
    ? await moveHead(writes, rows, current)
    : await makeHead(writes, rows, entity.repositoryId)
  await writes.putJson.send({ head, json: rows.json })
  await writes.putBody.send({ head, body: rows.version.body })
  const isNewVersion = rows.version.version !== current?.[2]
  if (isNewVersion) await writes.insertVersion.send(rows.version)
  await writes.putMoment.send(rows.moment)
  chargeWrite(layer, entity, {
    textBytes: isNewVersion ? Buffer.byteLength(rows.version.body) : null,
    isNewItem: entity.kind === 'item' && !isHeld,
  })
  return head
}

/** A written head, and whether its entity already existed on this or another branch. */
interface WrittenHead {
  readonly head: number
  readonly isHeld: boolean
}

async function moveHead(
  writes: EntityWrites,
  { head: row }: WrittenRows,
  [head, expected]: CurrentRow,
): Promise<WrittenHead> {
  const moved = await writes.updateHead.run({ ...row, head, expected })
  if (moved === 0) throw new StoreConflict('stale', row.id)
  return { head, isHeld: true }
}

async function makeHead(
  writes: EntityWrites,
  { head: row }: WrittenRows,
  repositoryId: string,
): Promise<WrittenHead> {
  const made = await writes.insertHead.get({ ...row, repositoryId })
  if (!made) throw new StoreConflict('stale', row.id)
  const [head, heldElsewhere] = made
  return { head, isHeld: heldElsewhere === 1 }
}

async function purgeHead(
  { writes, documents, layer }: Indexing & { writes: EntityWrites },
  { kind, id }: EntityRef,
  { number, ...branch }: Branch & { number: number },
): Promise<void> {
  const at = { branch: number, kind, id }
  const current = await writes.current.get(at)
  if (!current) return
  const [head] = current
  const { repositoryId } = branch
  layer.writtenHeads.forget(head)
  if (kind === 'item') creditItem(layer, branch, await writes.itemAt.get({ ...at, repositoryId }))
  await deleteDerived(writes, head)
  if (await deleteDocument(documents, head)) layer.indexed.add(1)
  await writes.deleteHead.send({ head })
  await writes.deleteJson.send({ head })
  await writes.deleteBody.send({ head })
  creditVersions(layer, branch, await writes.deleteVersions.all(at))
  await writes.deleteMoments.send(at)
}
