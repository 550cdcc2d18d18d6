import {
  type EntityRef,
  type EntityWrite,
  type EntityWriter,
  type Branch,
  StoreConflict,
} from '@quire/core/ports'
import { entityKeys } from '../footprint/entity-keys.ts'
import type { Layer } from '../layer.ts'
import type { DocumentWrites } from '../search/document-statements.ts'
import { deleteDocument, insertDocument, putDocument } from '../search/write-document.ts'
import type { BranchWrites } from '../branch-writes.ts'
import { scopeOf } from '../branches.ts'
import type { WrittenPaths } from '../query/path-memo.ts'
import { chargeWrite, creditItem, creditVersions } from './charge.ts'
import { deleteDerived, deleteOutdated, insertDerived, insertValues } from './derived-rows.ts'
import { createEntityReader } from './entity-reader.ts'
import { cutText, largeInJson, leastLarge, storeValues } from './large-values.ts'
import type { EntityReads } from './read-statements.ts'
import type { ChargedRow, CurrentRow, EntityWrites } from './write-statements.ts'
import { rowsOf } from './written-rows.ts'

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
    // Everything is read before anything is written, so that the writes can be deferred.
    async put(entity, expectedRevision) {
      layer.requireOpen()
      layer.content.changed()
      const branch = await branches.intern(layer, entity)
      const before = await stateBefore(writes, entity, branch)
      requireRevision(entity, before.current, expectedRevision)
      await requireFreeSlug(writes, entity, { branch, main: mainOf(layer, entity), before })
      await writeDocument({ documents, layer }, entity, { branch, before })
      await writeRows({ writes, layer }, entity, { branch, before })
      layer.writtenHeads.forget(before.head)
      const { head, current } = before
      if (current?.[3] === null) await deleteOutdated(writes, entity, { head, updatedDate: current[4] })
      // A deleted head has no derived rows but its roles.
      else if (current) await writes.deleteRoles.send({ head })
      await insertDerived(writes, entity, { head, branch })
      if (entity.deletedDate !== null) return
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
      noteForgotten(layer, gone)
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

/** What is stored before a write. */
interface Before {
  /** The number of the head, which a new one gets. */
  readonly head: number
  readonly current: CurrentRow | undefined
  /** Whether the entity already exists on this or another branch. */
  readonly isHeld: boolean
  /** The id of another live head of the branch with the slug. */
  readonly slugInUse: string | null
  /** The next row of the search index. */
  readonly searchRow: number
}

async function stateBefore(
  writes: EntityWrites,
  { kind, id, slug, deletedDate, repositoryId }: EntityWrite,
  branch: number,
): Promise<Before> {
  const liveSlug = deletedDate === null ? slug : null
  const row = await writes.before.get({ branch, kind, id, slug: liveSlug, repositoryId })
  if (!row) throw new TypeError('Reading what is stored before a write returns one row.')
  const [nextHead, heldElsewhere, searchRow, slugInUse, ...stored] = row
  const current = stored[0] === null ? undefined : stored
  const head = current?.[0] ?? nextHead
  if (head === null) throw new TypeError('A head that is not stored gets a number.')
  return { head, current, isHeld: current !== undefined || heldElsewhere === 1, slugInUse, searchRow }
}

/**
 * Updates the head's document in the search index. A head that was not live has no earlier document
 * to compare with.
 */
async function writeDocument(
  { documents, layer }: Indexing,
  { kind, search, deletedDate }: EntityWrite,
  { branch, before }: { branch: number; before: Before },
): Promise<void> {
  const { head, searchRow } = before
  const wasLive = isLive(before.current)
  let isChanged = wasLive
  if (search === null || deletedDate !== null) isChanged &&= await deleteDocument(documents, head)
  else if (wasLive) isChanged = await putDocument(documents, search, { head, branch, kind })
  else isChanged = await insertDocument(documents, search, { head, branch, kind, row: searchRow })
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
  { branch, main, before }: { branch: number; main: number | null; before: Before },
): Promise<void> {
  if (slug === null || deletedDate !== null) return
  const isTaken =
    before.slugInUse !== null ||
    (main !== null && (await writes.slugInUseVisible.get({ branch: main, over: branch, kind, slug, id })))
  if (isTaken) throw new StoreConflict('slug', slug)
}

async function writeRows(
  { writes, layer }: { writes: EntityWrites; layer: Layer },
  entity: EntityWrite,
  { branch, before: { head, current, isHeld } }: { branch: number; before: Before },
): Promise<void> {
  const { id, slug } = entity
  const rows = rowsOf(entity, branch)
  const writeHead = current ? writes.updateHead : writes.insertHead
  await writeHead.send({ ...rows.head, head })
  const isNewVersion = rows.version.version !== current?.[2]
  if (isNewVersion) await writes.insertVersion.send(rows.version)
  if (rows.values.length > 0) noteNeeded(layer)
  const values = await storeValues(writes, rows.version, rows.values)
  const [json, body] = [cutText(rows.json, largeInJson(values)), cutText(rows.body, values)]
  await writes.putJson.send({ head, id, slug, json: json.whole, parts: json.parts })
  await writes.putBody.send({ head, id, body: body.whole, parts: body.parts })
  await writes.putMoment.send(rows.moment)
  chargeWrite(layer, entity, {
    textBytes: isNewVersion ? Buffer.byteLength(rows.body) : null,
    isNewItem: entity.kind === 'item' && !isHeld,
  })
}

function noteNeeded({ footprint }: Layer): void {
  footprint?.write(entityKeys.valuesNeeded)
  footprint?.read(entityKeys.valuesForgotten)
}

/** The large values of deleted versions are deleted if no other version needs them. */
function noteForgotten({ footprint }: Layer, gone: readonly ChargedRow[]): void {
  if (!gone.some(([, bytes]) => bytes >= leastLarge)) return
  footprint?.write(entityKeys.valuesForgotten)
  footprint?.read(entityKeys.valuesNeeded)
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
  const gone = await writes.deleteVersions.all(at)
  creditVersions(layer, branch, gone)
  noteForgotten(layer, gone)
  await writes.deleteMoments.send(at)
}
