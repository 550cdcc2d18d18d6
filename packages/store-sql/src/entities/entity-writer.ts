import {
  type EntityRef,
  type EntityWrite,
  type EntityWriter,
  type Line,
  StoreConflict,
} from '@quire/core/ports'
import type { Layer } from '../layer.ts'
import type { DocumentWrites } from '../search/document-statements.ts'
import { deleteDocument, insertDocument, putDocument } from '../search/write-document.ts'
import type { LineWrites } from '../line-writes.ts'
import { placeOf } from '../lines.ts'
import type { WrittenPaths } from '../query/path-memo.ts'
import { deleteDerived, insertDerived } from './derived-rows.ts'
import { createEntityReader } from './entity-reader.ts'
import type { EntityReads } from './read-statements.ts'
import type { CurrentRow, EntityWrites } from './write-statements.ts'
import { type WrittenRows, rowsOf } from './written-rows.ts'

/** The statements that a transaction's entities run. */
export interface EntityStatements {
  readonly reads: EntityReads
  readonly writes: EntityWrites
  readonly documents: DocumentWrites
  readonly lines: LineWrites
}

/** The entities of a transaction. */
export function createEntityWriter(statements: EntityStatements, layer: Layer): EntityWriter {
  const { reads, writes, documents, lines } = statements
  return {
    ...createEntityReader(reads, layer),
    async put(entity, expectedRevision) {
      layer.requireOpen()
      const line = await lines.intern(layer, entity)
      const current = await writes.current.get({ line, kind: entity.kind, id: entity.id })
      requireRevision(entity, current, expectedRevision)
      await requireFreeSlug(writes, entity, { line, main: mainOf(layer, entity) })
      const head = await writeRows(writes, rowsOf(entity, line), current)
      if (isLive(current)) await deleteDerived(writes, head)
      await writeDocument({ documents, layer }, entity, { head, line, wasLive: isLive(current) })
      if (entity.deletedDate !== null) return
      await insertDerived(writes, entity, { head, line })
      layer.written.add(pathsOf(entity, line))
    },
    async forgetVersions(line, { kind, id }, { before, keep }) {
      layer.requireOpen()
      const number = layer.lines.numberOf(line)
      if (number === null) return
      const forget = line.packageId === null ? writes.forgetUnbased : writes.forgetVersions
      await forget.send({ line: number, kind, id, before, keep: keep ?? 0 })
    },
    async describe(line, { kind, id }, document) {
      layer.requireOpen()
      const number = layer.lines.numberOf(line)
      const current = number === null ? undefined : await writes.current.get({ line: number, kind, id })
      if (number === null || current?.[3] !== null) return
      const isChanged = await putDocument(documents, document, { head: current[0], line: number, kind })
      if (isChanged) layer.indexed.add(1)
    },
    async purge(line, ref) {
      layer.requireOpen()
      const number = layer.lines.numberOf(line)
      if (number !== null) await purgeHead({ writes, documents, layer }, ref, number)
    },
  }
}

interface Indexing {
  readonly documents: DocumentWrites
  readonly layer: Layer
}

/** What search finds the head by from now on. A head that was not live has nothing to be compared with. */
async function writeDocument(
  { documents, layer }: Indexing,
  { kind, search, deletedDate }: EntityWrite,
  { head, line, wasLive }: { head: number; line: number; wasLive: boolean },
): Promise<void> {
  const place = { head, line, kind }
  let isChanged = wasLive
  if (search === null || deletedDate !== null) isChanged &&= await deleteDocument(documents, head)
  else if (wasLive) isChanged = await putDocument(documents, search, place)
  else isChanged = await insertDocument(documents, search, place)
  if (isChanged) layer.indexed.add(1)
}

function pathsOf({ kind, type, values }: EntityWrite, line: number): WrittenPaths {
  return { line, kind, type, paths: new Set(values.map(({ path }) => path)) }
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

/** The number of main below a package's line; null on main itself. */
function mainOf(layer: Layer, line: Line): number | null {
  return line.packageId === null ? null : placeOf(layer.lines, line).main
}

/** Against what the line shows: its own live heads, and in a package main's that it leaves alone. */
async function requireFreeSlug(
  writes: EntityWrites,
  { kind, id, slug, deletedDate }: EntityWrite,
  { line, main }: { line: number; main: number | null },
): Promise<void> {
  if (slug === null || deletedDate !== null) return
  const taken =
    (await writes.slugTaken.get({ line, kind, slug, id })) ??
    (main === null ? undefined : await writes.slugTakenShown.get({ line: main, over: line, kind, slug, id }))
  if (taken) throw new StoreConflict('slug', slug)
}

async function writeRows(
  writes: EntityWrites,
  rows: WrittenRows,
  current: CurrentRow | undefined,
): Promise<number> {
  const head = current ? await moveHead(writes, rows, current) : await makeHead(writes, rows)
  await writes.putPresentation.send({ head, presentation: rows.presentation })
  await writes.putBody.send({ head, body: rows.version.body })
  if (rows.version.version !== current?.[2]) await writes.insertVersion.send(rows.version)
  await writes.putMoment.send(rows.moment)
  return head
}

async function moveHead(
  writes: EntityWrites,
  { head: row }: WrittenRows,
  [head, expected]: CurrentRow,
): Promise<number> {
  const moved = await writes.updateHead.run({ ...row, head, expected })
  if (moved === 0) throw new StoreConflict('stale', row.id)
  return head
}

async function makeHead(writes: EntityWrites, { head: row }: WrittenRows): Promise<number> {
  const made = await writes.insertHead.get(row)
  if (!made) throw new StoreConflict('stale', row.id)
  return made[0]
}

async function purgeHead(
  { writes, documents, layer }: Indexing & { writes: EntityWrites },
  { kind, id }: EntityRef,
  line: number,
): Promise<void> {
  const at = { line, kind, id }
  const current = await writes.current.get(at)
  if (!current) return
  const [head] = current
  await deleteDerived(writes, head)
  if (await deleteDocument(documents, head)) layer.indexed.add(1)
  await writes.deleteHead.send({ head })
  await writes.deletePresentation.send({ head })
  await writes.deleteBody.send({ head })
  await writes.deleteVersions.send(at)
  await writes.deleteMoments.send(at)
}
