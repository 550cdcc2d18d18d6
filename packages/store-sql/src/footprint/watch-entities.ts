import type { Branch, EntityKind, EntityWriter } from '@quire/core/ports'
import { entityKeys, keysOfList, keysReadByPut, keysWrittenByPut, visibleFrom } from './entity-keys.ts'
import type { Footprint } from './footprint.ts'

/**
 * Notes what a transaction reads and writes of entities. Every method is named, so that a new one
 * cannot be forgotten.
 */
export function watchEntities(entities: EntityWriter, footprint: Footprint): EntityWriter {
  const readHeads = (branch: Branch, ids: readonly string[]) => {
    for (const one of visibleFrom(branch)) for (const id of ids) footprint.read(entityKeys.head(one, id))
  }
  /** All heads of a kind, for reads that are rare in transactions. */
  const readKind = (branch: Branch, kind: EntityKind) => {
    for (const one of visibleFrom(branch)) footprint.read(entityKeys.kind(one, kind), entityKeys.purges(one))
  }
  const readTargets = (branch: Branch, targets: readonly string[]) => {
    for (const one of visibleFrom(branch))
      footprint.read(entityKeys.purges(one), ...targets.map((target) => entityKeys.target(one, target)))
  }
  return {
    get(branch, kind, id) {
      readHeads(branch, [id])
      return entities.get(branch, kind, id)
    },
    getMany(branch, kind, ids) {
      readHeads(branch, ids)
      return entities.getMany(branch, kind, ids)
    },
    async getBySlug(branch, sought) {
      for (const one of visibleFrom(branch))
        footprint.read(entityKeys.slug(one, sought.kind, sought.slug), entityKeys.purges(one))
      const found = await entities.getBySlug(branch, sought)
      if (found) readHeads(branch, [found.id])
      return found
    },
    async list(branch, query) {
      footprint.read(...keysOfList(branch, query))
      const page = await entities.list(branch, query)
      readHeads(
        branch,
        page.entities.map(({ id }) => id),
      )
      return page
    },
    ownHeads(branch, page) {
      footprint.read(entityKeys.own(branch), entityKeys.purges(branch))
      return entities.ownHeads(branch, page)
    },
    version(branch, ref, version) {
      readHeads(branch, [ref.id])
      return entities.version(branch, ref, version)
    },
    versions(branch, ref, page) {
      readHeads(branch, [ref.id])
      return entities.versions(branch, ref, page)
    },
    versionTotals(branch, ref) {
      readHeads(branch, [ref.id])
      return entities.versionTotals(branch, ref)
    },
    moment(branch, ref, time) {
      readHeads(branch, [ref.id])
      return entities.moment(branch, ref, time)
    },
    neededBlobs(page) {
      footprint.read(entityKeys.filesNeeded)
      return entities.neededBlobs(page)
    },
    async deletedBefore(page) {
      const refs = await entities.deletedBefore(page)
      for (const ref of refs) readHeads(ref, [ref.id])
      return refs
    },
    namesRole(role) {
      footprint.read(entityKeys.role(role))
      return entities.namesRole(role)
    },
    async incoming(branch, targetId, limit) {
      readTargets(branch, [targetId])
      const edges = await entities.incoming(branch, targetId, limit)
      for (const { source } of edges) readHeads(branch, [source.id])
      return edges
    },
    async edges(branch, query) {
      if (query.end === 'target') readTargets(branch, query.ids)
      else readHeads(branch, query.ids)
      const edges = await entities.edges(branch, query)
      readHeads(
        branch,
        edges.map(({ sourceId }) => sourceId),
      )
      return edges
    },
    search(branch, query) {
      readKind(branch, query.kind)
      return entities.search(branch, query)
    },
    facets(branch, query) {
      readKind(branch, query.kind)
      return entities.facets(branch, query)
    },
    documents(branch, kind, ids) {
      readHeads(branch, ids)
      return entities.documents(branch, kind, ids)
    },
    put(entity, expectedRevision) {
      footprint.read(...keysReadByPut(entity))
      footprint.write(...keysWrittenByPut(entity))
      return entities.put(entity, expectedRevision)
    },
    describe(branch, { kind, id }, document) {
      const head = entityKeys.head(branch, id)
      footprint.read(head, entityKeys.textsForgotten)
      footprint.write(head, entityKeys.kind(branch, kind))
      return entities.describe(branch, { kind, id }, document)
    },
    addEmptyValues(head, paths) {
      footprint.read(entityKeys.head(head, head.id))
      footprint.write(
        entityKeys.head(head, head.id),
        ...paths.map((path) => entityKeys.value(head, head.kind, { path, value: null })),
      )
      return entities.addEmptyValues(head, paths)
    },
    forgetVersions(branch, ref, old) {
      footprint.read(entityKeys.anywhere(ref.id))
      footprint.write(entityKeys.head(branch, ref.id))
      return entities.forgetVersions(branch, ref, old)
    },
    purge(branch, ref) {
      const head = entityKeys.head(branch, ref.id)
      footprint.read(head, entityKeys.anywhere(ref.id))
      footprint.write(
        head,
        entityKeys.anywhere(ref.id),
        entityKeys.kind(branch, ref.kind),
        entityKeys.own(branch),
        entityKeys.purges(branch),
      )
      return entities.purge(branch, ref)
    },
  }
}
