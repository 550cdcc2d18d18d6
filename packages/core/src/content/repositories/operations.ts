import { type Contract, type OutputOf, type ParsedOf, type Repository, QuireError } from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import { cacheTag } from '../../engine/cache-tags/tags.ts'
import { requirePermission, type Call } from '../../engine/call.ts'
import { pageOf } from '../../engine/paging.ts'
import { serializeRecord, sentMembers } from '../../engine/record-rules.ts'
import { usageOf } from '../../engine/quotas.ts'
import { findRepository, maySeeRepository } from '../../engine/scope.ts'
import { recordEvent } from '../../engine/journal.ts'
import { isSame } from '../../engine/same.ts'
import { migrateLocales } from '../locales/migrate.ts'
import { changeableRepository, requireFreeWord } from './record.ts'
import { type RecordKind, type Stored, entityKinds, type Transaction } from '../../ports/index.ts'
import { securityEvent } from '../../people/audit.ts'

type Group = Contract['repositories']

/** Lists the repositories in which the caller may read anything, by id. */
async function listRepositories(
  call: Call,
  input: ParsedOf<Group['list']>,
): Promise<OutputOf<Group['list']>> {
  const all = await call.store.records.list('repository')
  const page = pageOf(
    all.filter(({ id }) => maySeeRepository(call, id)),
    input,
  )
  return { ...page, items: page.items.map((stored) => serializeRecord<'repository'>(stored).value()) }
}

/** Reads a repository. Errors: `not_found`, also if the caller may read nothing in it. */
async function getRepository(call: Call, { id }: ParsedOf<Group['get']>): Promise<Serialized<Repository>> {
  return serializeRecord<'repository'>(await findRepository(call, id))
}

/** Reads how much a repository stores, and its quota. Errors: `not_found`, `forbidden`. */
async function repositoryUsage(
  call: Call,
  { id }: ParsedOf<Group['usage']>,
): Promise<OutputOf<Group['usage']>> {
  const { id: repositoryId, settings } = await findRepository(call, id)
  requirePermission(call, 'admin.repositories.view', { repositoryId })
  return usageOf(call.store, { of: 'repository', id: repositoryId }, settings.quota)
}

/** Creates an empty repository. Errors: `name_taken`; `invalid` for a reserved name. */
async function createRepository(
  call: Call,
  input: ParsedOf<Contract['repositories']['create']>,
): Promise<Serialized<Repository>> {
  requireFreeWord(input.name)
  const repository: Repository = {
    id: call.environment.ids.next('REPO'),
    name: input.name,
    displayName: input.displayName ?? input.name,
    description: input.description,
    public: input.public,
    settings: input.settings,
    createdDate: call.now,
    updatedDate: call.now,
  }
  return call.write(async (call) => {
    const stored = await call.store.records.put('repository', repository, 0)
    await call.record(
      recordEvent(call, 'REPOSITORY_CREATED', { kind: 'repository', id: stored.id, repositoryId: stored.id }),
    )
    return serializeRecord<'repository'>(stored)
  })
}

type Input = ParsedOf<Contract['repositories']['update']>

/**
 * Updates the members that are sent. With `migrate` a change of the locales converts items. Errors:
 * `not_found`, `forbidden`, `name_taken`, `precondition_failed`; `invalid_state` if other locales
 * change values of items and `migrate` is not set.
 */
async function updateRepository(
  call: Call,
  { id, migrate, ...patch }: Input,
): Promise<Serialized<Repository>> {
  if (patch.name !== undefined) requireFreeWord(patch.name)
  // Converting items needs disk space.
  if (migrate) await call.environment.store.requireRoom?.()
  return call.write(async (call) => {
    const found = await changeableRepository(call, id)
    const { revision, ...repository } = found
    const changed: Repository = {
      ...repository,
      name: patch.name ?? repository.name,
      displayName: patch.displayName ?? repository.displayName,
      description: patch.description ?? repository.description,
      public: patch.public ?? repository.public,
      settings: mergedSettings(repository.settings, patch.settings),
      updatedDate: call.now,
    }
    const stored = await call.store.records.put('repository', changed, revision)
    await call.record(
      recordEvent(call, 'REPOSITORY_UPDATED', { kind: 'repository', id: stored.id, repositoryId: stored.id }),
    )
    await migrateLocales(call, { before: repository, after: changed, migrate })
    call.purgeTags(stored.id, outdatedTags(repository, changed))
    const [before, after] = [auditedMembers(repository), auditedMembers(changed)]
    if (!isSame(before, after))
      await call.record(
        securityEvent(call, 'REPOSITORY_UPDATED', { kind: 'repository', id: stored.id, before, after }),
      )
    return serializeRecord<'repository'>(stored)
  })
}

/** What of a repository decides who reads it, what the service fetches, and to whom it gives tokens. */
function auditedMembers({ public: isPublic, settings: { assets, previewUrl } }: Repository) {
  return { public: isPublic, fetchOrigins: assets.fetchOrigins, previewUrl: previewUrl ?? null }
}

/** The tags of public answers that a change of a repository makes different. */
function outdatedTags(before: Repository, after: Repository): readonly string[] {
  if (!before.public) return []
  const { id, settings: was } = before
  const { settings: is } = after
  const hasOtherLocales = !isSame(was.locales ?? null, is.locales ?? null)
  if (!after.public || after.name !== before.name || hasOtherLocales) return [cacheTag.repository(id)]
  return [
    ...(isSame([was.graphql, was.allowedTypes], [is.graphql, is.allowedTypes]) ? [] : [cacheTag.graphql(id)]),
    ...(isSame(was.assets, is.assets) ? [] : [cacheTag.presets(id)]),
  ]
}

function mergedSettings(
  settings: Repository['settings'],
  patch: Input['settings'] = {},
): Repository['settings'] {
  const locales = patch.locales === undefined ? settings.locales : patch.locales
  const styleGuide = patch.styleGuide === undefined ? settings.styleGuide : patch.styleGuide
  const previewUrl = patch.previewUrl === undefined ? settings.previewUrl : patch.previewUrl
  return {
    workflow: { ...settings.workflow, ...sentMembers(patch.workflow) },
    allowedTypes: patch.allowedTypes ?? settings.allowedTypes,
    assets: { ...settings.assets, ...sentMembers(patch.assets) },
    ai: { ...settings.ai, ...sentMembers(patch.ai) },
    graphql: { ...settings.graphql, ...sentMembers(patch.graphql) },
    quota: { ...settings.quota, ...sentMembers(patch.quota) },
    ...(locales && { locales }),
    ...(typeof styleGuide === 'string' && { styleGuide }),
    ...(typeof previewUrl === 'string' && { previewUrl }),
  }
}

/** The kinds of records that belong to a repository, or may. */
type OwnedKind = { [K in RecordKind]: 'repositoryId' extends keyof Stored<K> ? K : never }[RecordKind]

/** Whether the records of a kind are deleted with their repository. */
const isDeletedToo: Readonly<Record<OwnedKind, boolean>> = {
  autoPackageRule: true,
  renditionPreset: true,
  savedQuery: true,
  indexRebuild: true,
  webhook: true,
  workflow: true,
  shareLink: true,
  // Only deleted packages are left; their history stays in the journal.
  package: false,
  // Deleted with its site.
  publishedSite: false,
}

const ownKinds = (Object.keys(isDeletedToo) as OwnedKind[]).filter((kind) => isDeletedToo[kind])

/**
 * Deletes an empty repository. Errors: `not_found`, `forbidden`; `repository_in_use` if it contains
 * anything.
 */
async function deleteRepository(
  call: Call,
  { id }: ParsedOf<Contract['repositories']['delete']>,
): Promise<undefined> {
  return call.write(async (call) => {
    const found = await changeableRepository(call, id)
    if (await holdsContent(call.store, found.id)) throw new QuireError('repository_in_use')
    for (const kind of ownKinds)
      for (const record of await call.store.records.list(kind))
        if (record.repositoryId === found.id)
          await call.store.records.delete(kind, record.id, record.revision)
    const structure = await call.store.records.get('structure', found.id)
    if (structure) await call.store.records.delete('structure', structure.id, structure.revision)
    await call.store.records.delete('repository', found.id, found.revision)
    if (found.public) call.purgeTags(found.id, [cacheTag.repository(found.id)])
    await call.record(
      recordEvent(call, 'REPOSITORY_DELETED', { kind: 'repository', id: found.id, repositoryId: found.id }),
    )
    return undefined
  })
}

async function holdsContent(store: Transaction, repositoryId: string): Promise<boolean> {
  const packages = await store.records.list('package')
  if (packages.some((record) => record.repositoryId === repositoryId && record.state !== 'deleted'))
    return true
  for (const kind of entityKinds) {
    const { entities } = await store.entities.list(
      { repositoryId, packageId: null },
      {
        kind,
        reader: { types: 'all', roles: 'all' },
        archived: true,
        sort: [],
        limit: 1,
        count: false,
      },
    )
    if (entities.length > 0) return true
  }
  return false
}

export { setLocales } from './set-locales.ts'
export {
  createRepository as create,
  deleteRepository as delete,
  getRepository as get,
  listRepositories as list,
  repositoryUsage as usage,
  updateRepository as update,
}
