import { AssetDraft, parseAs, type ContentType } from '@quire/contract'
import { requireUploader } from '../assets/intake.ts'
import { requirePermission, type Call } from '../call/call.ts'
import { invalid } from '../call/check-input.ts'
import { findItem, requireOnItem } from '../items/find.ts'
import type { Place } from '../lines/lines.ts'
import { typeNamed, typeOf } from '../types/find.ts'

/** What the metadata of an upload asks for. */
export interface UploadDraft {
  readonly place: Place
  /** The asset of which it is a new version; null: a new asset. */
  readonly itemId: string | null
  readonly fileName: string | undefined
  readonly members: AssetDraft
}

/**
 * What an upload is to become, checked as far as it can be before its file is there, so that nobody sends gigabytes for a 403.
 * Errors: `not_found`, `forbidden`, `invalid_state`; `invalid` naming the metadata.
 */
export async function draftOf(
  call: Call,
  metadata: Readonly<Record<string, string | undefined>>,
): Promise<UploadDraft> {
  const { repositoryId: configId, packageName, itemId, filename, name, type, folderId } = metadata
  const place = await requireUploader(call, { configId, packageName, type })
  const members = parsedMembers({ name, type, folderId, fields: fieldsOf(metadata['fields']) })
  if (itemId === undefined) await requireCreating(call, place, members.type)
  else await requireReplacing(call, place, itemId)
  return { place, itemId: itemId ?? null, fileName: filename ?? name, members }
}

function parsedMembers(sent: Record<string, unknown>): AssetDraft {
  const given = Object.fromEntries(
    Object.entries(sent).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = parseAs(AssetDraft, given)
  if ('value' in parsed) return parsed.value
  throw invalid(parsed.issues.map(({ path, message }) => ({ path: `metadata.${path}`, message })))
}

function fieldsOf(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw invalid([{ path: 'metadata.fields', message: 'is not JSON' }])
  }
}

async function requireCreating(
  call: Call,
  { repository }: Place,
  typeName: string | undefined,
): Promise<void> {
  if (typeName === undefined) return
  const type = await typeNamed(call, typeName)
  requirePermission(call, 'items.create', { repositoryId: repository.id, type: type.name })
  requireTakesFiles(type, 'type')
}

async function requireReplacing(call: Call, place: Place, id: string): Promise<void> {
  const head = await findItem(call, place, id)
  requireOnItem({ ...call, ifMatch: undefined }, head, { key: 'items.update', roles: 'write' })
  requirePermission(call, 'assets.upload', { repositoryId: place.repository.id, type: head.type })
  requireTakesFiles(await typeOf(call, head), 'itemId')
}

/** Errors: `invalid` naming the metadata that led to a type without files. */
function requireTakesFiles({ name, settings }: ContentType, member: string): void {
  if (settings.isAsset) return
  throw invalid([{ path: `metadata.${member}`, message: `the content type "${name}" takes no file` }])
}
