import {
  QuireError,
  type Contract,
  type OutputOf,
  type ParsedOf,
  type RenditionPreset,
} from '@quire/contract'
import type { Presented } from '../call/answer.ts'
import { requirePermission, within, type Call } from '../call/call.ts'
import { invalid } from '../call/check-input.ts'
import { recordEvent } from '../call/journal.ts'
import { plainRecord, presentRecord, requireRecord, sentMembers } from '../call/records.ts'
import { builtInPresets } from '../items/asset.ts'
import { findRepository } from '../lines/lines.ts'
import type { Stored } from '../ports/index.ts'

type Group = Contract['renditionPresets']

/** The presets of a repository, by name. Errors: `not_found`, `forbidden`. */
export async function listPresets(
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
export async function getPreset(
  call: Call,
  input: ParsedOf<Group['get']>,
): Promise<Presented<RenditionPreset>> {
  const { id: repositoryId } = await findRepository(call, input.configId)
  requirePermission(call, 'assets.read', { repositoryId })
  return presentRecord<'renditionPreset'>(await findPreset(call, repositoryId, input.name))
}

/** Makes a preset. Errors: `not_found`, `forbidden`; `name_taken`, also for the names that are built in; `invalid` without any side. */
export async function createPreset(
  call: Call,
  { configId, ...said }: ParsedOf<Group['create']>,
): Promise<Presented<RenditionPreset>> {
  return call.transaction(async (tx) => {
    const repositoryId = await requireOwner(within(call, tx), configId)
    if (said.name === 'original' || builtInPresets.includes(said.name))
      throw new QuireError('name_taken', `The name "${said.name}" is built in.`)
    const id = call.environment.ids.next('PRST')
    const preset: RenditionPreset = {
      id,
      repositoryId,
      ...said,
      createdDate: call.now,
      updatedDate: call.now,
    }
    requireSide(preset)
    const stored = await tx.records.put('renditionPreset', preset, 0)
    await tx.journal.record(recordEvent(call, 'RENDITION_PRESET_CREATED', subject(stored)))
    return presentRecord<'renditionPreset'>(stored)
  })
}

/** Changes what is sent: from then on pictures are made by it. Errors: `not_found`, `forbidden`, `precondition_failed`, `invalid`. */
export async function updatePreset(
  call: Call,
  { configId, name, ...patch }: ParsedOf<Group['update']>,
): Promise<Presented<RenditionPreset>> {
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    const repositoryId = await requireOwner(inside, configId)
    const { revision, ...preset } = await findPreset(inside, repositoryId, name)
    const changed: RenditionPreset = { ...preset, ...sentMembers(patch), updatedDate: call.now }
    requireSide(changed)
    const stored = await tx.records.put('renditionPreset', changed, revision)
    await tx.journal.record(recordEvent(call, 'RENDITION_PRESET_UPDATED', subject(stored)))
    return presentRecord<'renditionPreset'>(stored)
  })
}

/** Deletes a preset. Errors: `not_found`, `forbidden`, `precondition_failed`. */
export async function deletePreset(
  call: Call,
  { configId, name }: ParsedOf<Group['delete']>,
): Promise<undefined> {
  return call.transaction(async (tx) => {
    const inside = within(call, tx)
    const preset = await findPreset(inside, await requireOwner(inside, configId), name)
    await tx.records.delete('renditionPreset', preset.id, preset.revision)
    await tx.journal.record(recordEvent(call, 'RENDITION_PRESET_DELETED', subject(preset)))
    return undefined
  })
}

function subject({ id, repositoryId }: RenditionPreset) {
  return { kind: 'renditionPreset', id, repositoryId }
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
  return requireRecord<'renditionPreset'>(call, found, `rendition preset "${name}"`)
}

/** Errors: `invalid` for a preset without width and height, or one that fills both and has only one. */
function requireSide({ width, height, fit }: RenditionPreset): void {
  if (width === null && height === null) throw invalid([{ path: 'width', message: 'or height is required' }])
  if (fit !== 'inside' && (width === null || height === null))
    throw invalid([{ path: width === null ? 'width' : 'height', message: `is required with fit ${fit}` }])
}
