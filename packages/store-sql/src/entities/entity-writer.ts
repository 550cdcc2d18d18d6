import {
  type EntityRef,
  type EntityWrite,
  type EntityWriter,
  type Line,
  StoreConflict,
} from '@quire/core/ports'
import type { Layer } from '../layer.ts'
import type { LineWrites } from '../line-writes.ts'
import { placeOf } from '../lines.ts'
import { deleteDerived, insertDerived } from './derived-rows.ts'
import { createEntityReader } from './entity-reader.ts'
import { formatPerson, formatRoles } from './head-row.ts'
import type { EntityReads } from './read-statements.ts'
import type { CurrentRow, EntityWrites } from './write-statements.ts'

/** The statements that a transaction's entities run. */
export interface EntityStatements {
  readonly reads: EntityReads
  readonly writes: EntityWrites
  readonly lines: LineWrites
}

/** The entities of a transaction. */
export function createEntityWriter({ reads, writes, lines }: EntityStatements, layer: Layer): EntityWriter {
  return {
    ...createEntityReader(reads, layer),
    async put(entity, expectedRevision) {
      layer.requireOpen()
      const line = await lines.intern(layer, entity)
      const current = await writes.current.get({ line, kind: entity.kind, id: entity.id })
      requireRevision(entity, current, expectedRevision)
      await requireFreeSlug(writes, entity, { line, main: mainOf(layer, entity) })
      const head = await writeHead(writes, entity, { line, current })
      await writeHistory(writes, entity, { line, current })
      if (isLive(current)) await deleteDerived(writes, head)
      if (entity.deletedDate === null) await insertDerived(writes, entity, { head, line })
    },
    async purge(line, ref) {
      layer.requireOpen()
      const number = layer.lines.numberOf(line)
      if (number !== null) await purgeHead(writes, ref, number)
    },
  }
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

interface Written {
  readonly line: number
  readonly current: CurrentRow | undefined
}

async function writeHead(
  writes: EntityWrites,
  entity: EntityWrite,
  { line, current }: Written,
): Promise<number> {
  const values = headValues(entity, line)
  if (current) {
    const [head, expected] = current
    if ((await writes.updateHead.run({ ...values, head, expected })) === 0)
      throw new StoreConflict('stale', entity.id)
    return head
  }
  const inserted = await writes.insertHead.get(values)
  if (!inserted) throw new StoreConflict('stale', entity.id)
  return inserted[0]
}

async function writeHistory(
  writes: EntityWrites,
  entity: EntityWrite,
  { line, current }: Written,
): Promise<void> {
  if (entity.version !== current?.[2]) await writes.insertVersion.run(versionValues(entity, line))
  await writes.putMoment.run(momentValues(entity, line))
}

function headValues(entity: EntityWrite, line: number) {
  const {
    values: _,
    edges: __,
    searchText: ___,
    repositoryId: ____,
    packageId: _____,
    roles,
    ...head
  } = entity
  return {
    ...head,
    line,
    status: statusOf(entity),
    published: Number(entity.publishedVersion !== null),
    archived: Number(entity.archived),
    limited: Number(roles.read.length > 0),
    createdBy: entity.createdBy.userName,
    updatedBy: entity.updatedBy.userName,
    createdPerson: formatPerson(entity.createdBy),
    updatedPerson: formatPerson(entity.updatedBy),
    roles: formatRoles(roles),
    body: JSON.stringify(entity.body),
  }
}

/** The status that filters see: archived, published when the head is the published version, else draft. */
function statusOf({ archived, version, publishedVersion }: EntityWrite): string {
  if (archived) return 'archived'
  return publishedVersion === version ? 'published' : 'draft'
}

function versionValues(entity: EntityWrite, line: number) {
  const { kind, id, version, type, name, slug, parentId, updatedDate, updatedBy, roles, body } = entity
  return {
    line,
    kind,
    id,
    version,
    type,
    name,
    slug,
    parentId,
    savedDate: updatedDate,
    savedPerson: formatPerson(updatedBy),
    roles: formatRoles(roles),
    body: JSON.stringify(body),
  }
}

function momentValues(entity: EntityWrite, line: number) {
  const { kind, id, version, publishedVersion, publishedDate, archived, deletedDate } = entity
  return {
    line,
    kind,
    id,
    from: entity.writtenDate ?? entity.updatedDate,
    version,
    publishedVersion,
    publishedDate,
    archived: Number(archived),
    deleted: Number(deletedDate !== null),
  }
}

async function purgeHead(writes: EntityWrites, { kind, id }: EntityRef, line: number): Promise<void> {
  const at = { line, kind, id }
  const current = await writes.current.get(at)
  if (!current) return
  const [head] = current
  await deleteDerived(writes, head)
  await writes.deleteHead.run({ head })
  await writes.deleteVersions.run(at)
  await writes.deleteMoments.run(at)
}
