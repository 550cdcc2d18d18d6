import {
  QuireError,
  type Contract,
  type OutputOf,
  type ParsedOf,
  type RenditionPreset,
} from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import { requirePermission, type Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { entryInRepository, recordsOf, plainRecord, sentMembers } from '../../engine/record-rules.ts'
import { builtInPresets } from '../../content/items/asset.ts'
import { findRepository } from '../../engine/scope.ts'
import type { Stored } from '../../ports/index.ts'

type Group = Contract['renditionPresets']

const records = recordsOf({
  kind: 'renditionPreset',
  called: 'rendition preset',
  events: {
    created: 'RENDITION_PRESET_CREATED',
    updated: 'RENDITION_PRESET_UPDATED',
    deleted: 'RENDITION_PRESET_DELETED',
  },
  entry: entryInRepository<RenditionPreset>('renditionPreset'),
})

/** The presets of a repository, by name. Errors: `not_found`, `forbidden`. */
async function listPresets(
  call: Call,
  { configId }: ParsedOf<Group['list']>,
): Promise<OutputOf<Group['list']>> {
  const { id: repositoryId } = await findRepository(call, configId)
  requirePermission(call, 'assets.read', { repositoryId })
  const all = await call.store.records.list('renditionPreset')
  const items = all
    .filter((preset) => preset.repositoryId === repositoryId)
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
    .map(plainRecord)
  return { count: items.length, items }
}

/** One preset. Errors: `not_found`, `forbidden`. */
async function getPreset(call: Call, input: ParsedOf<Group['get']>): Promise<Serialized<RenditionPreset>> {
  const { id: repositoryId } = await findRepository(call, input.configId)
  requirePermission(call, 'assets.read', { repositoryId })
  return records.serialize(await findPreset(call, repositoryId, input.name))
}

/**
 * Creates a preset. Errors: `not_found`, `forbidden`; `name_taken`, also for built-in names;
 * `invalid` without any side.
 */
async function createPreset(
  call: Call,
  { configId, ...given }: ParsedOf<Group['create']>,
): Promise<Serialized<RenditionPreset>> {
  return call.write(async (call) => {
    const repositoryId = await requireOwner(call, configId)
    if (given.name === 'original' || builtInPresets.includes(given.name))
      throw new QuireError('name_taken', `The name "${given.name}" is built in.`)
    const id = call.environment.ids.next('PRST')
    const after = { id, repositoryId, ...given, createdDate: call.now, updatedDate: call.now }
    requireSide(after)
    return records.serialize(await records.put(call, { before: null, after }))
  })
}

/**
 * Changes the members that are sent; renditions made from now on use them. Errors: `not_found`,
 * `forbidden`, `precondition_failed`, `invalid`.
 */
async function updatePreset(
  call: Call,
  { configId, name, ...patch }: ParsedOf<Group['update']>,
): Promise<Serialized<RenditionPreset>> {
  return call.write(async (call) => {
    const repositoryId = await requireOwner(call, configId)
    const before = await findPreset(call, repositoryId, name)
    const after = { ...plainRecord(before), ...sentMembers(patch), updatedDate: call.now }
    requireSide(after)
    return records.serialize(await records.put(call, { before, after }))
  })
}

/** Deletes a preset. Errors: `not_found`, `forbidden`, `precondition_failed`. */
async function deletePreset(call: Call, { configId, name }: ParsedOf<Group['delete']>): Promise<undefined> {
  return call.write(async (call) => {
    return records.remove(call, await findPreset(call, await requireOwner(call, configId), name))
  })
}

async function requireOwner(call: Call, configId: string): Promise<string> {
  const { id: repositoryId } = await findRepository(call, configId)
  requirePermission(call, 'admin.repositories.update', { repositoryId })
  return repositoryId
}

async function findPreset(
  call: Call,
  repositoryId: string,
  name: string,
): Promise<Stored<'renditionPreset'>> {
  const found = await call.store.records.find('renditionPreset', `name:${repositoryId}/${name}`)
  return records.matched(call, found, name)
}

/**
 * Errors: `invalid` for a preset without width and height, or one that fills a box and has only one
 * of them.
 */
function requireSide({ width, height, fit }: RenditionPreset): void {
  if (width === null && height === null) throw invalid([{ path: 'width', message: 'or height is required' }])
  if (fit !== 'inside' && (width === null || height === null))
    throw invalid([{ path: width === null ? 'width' : 'height', message: `is required with fit ${fit}` }])
}

export {
  createPreset as create,
  deletePreset as delete,
  getPreset as get,
  listPresets as list,
  updatePreset as update,
}
