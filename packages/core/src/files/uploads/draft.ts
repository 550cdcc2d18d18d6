import { AssetDraft, parseAs, type ContentType } from '@quire/contract'
import { requireUploader } from '../assets/intake.ts'
import { inContext, requirePermission, type Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { localeProblem } from '../../engine/locales.ts'
import { findItem, requireOnItem } from '../../content/items/find.ts'
import { requireAllowedType } from '../../content/items/save.ts'
import type { Scope } from '../../engine/scope.ts'
import { typeNamed, typeOf } from '../../content/types/find.ts'
import type { Environment } from '../../engine/environment.ts'
import { isKnown } from './state.ts'
import type { JobContext, JobHandler } from '../../engine/job.ts'
import type { Job, JsonObject } from '../../ports/index.ts'

/** What an upload will become, according to its metadata. */
export interface UploadDraft {
  readonly scope: Scope
  /** The asset to replace; null: a new asset. */
  readonly itemId: string | null
  readonly fileName: string | undefined
  readonly members: AssetDraft
  /** The content type; null when it follows from the file. */
  readonly type: ContentType | null
}

/**
 * Checks what an upload will become as far as possible before its file has arrived, so that nobody
 * sends gigabytes only to get a 403. Errors: `not_found`, `forbidden`, `invalid_state`; `invalid`,
 * naming the metadata.
 */
export async function draftOf(
  call: Call,
  metadata: Readonly<Record<string, string | undefined>>,
): Promise<UploadDraft> {
  const { repositoryId: configId, packageName, itemId, filename, name, folderId, locale } = metadata
  const type = typeNameOf(metadata)
  const scope = await requireUploader(call, { configId, packageName, type })
  const message = locale ? localeProblem(scope.repository, locale) : null
  if (message !== null) throw invalid([{ path: 'metadata.locale', message }])
  const members = parsedMembers({ name, type, folderId, fields: fieldsOf(metadata['fields']) })
  const ofType =
    itemId === undefined
      ? await requireCreating(call, scope, members.type)
      : await requireReplacing(call, scope, itemId)
  return { scope, itemId: itemId ?? null, fileName: filename ?? name, members, type: ofType }
}

/** A call in the locale that the metadata of an upload names. */
export function inLocaleOf<C extends Call>(call: C, { locale }: Readonly<Record<string, unknown>>): C {
  return inContext(call, { locale: locale || undefined })
}

/**
 * The content type that the metadata names. Uppy puts the media type of a file into `type`. A value
 * with a slash cannot be a content type, so it is treated like `filetype`.
 */
function typeNameOf({ contentType, type }: Readonly<Record<string, string | undefined>>): string | undefined {
  return contentType || (type?.includes('/') ? undefined : type)
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
  scope: Scope,
  typeName: string | undefined,
): Promise<ContentType | null> {
  if (typeName === undefined) return null
  const type = await typeNamed(call, { type: typeName, repositoryId: scope.repository.id })
  requirePermission(call, 'items.create', { ...scope.branch, type: type.name })
  requireAllowedType(scope, type)
  return requireTakesFiles(type, 'type')
}

async function requireReplacing(call: Call, scope: Scope, id: string): Promise<ContentType> {
  const head = await findItem(call, scope, id)
  requireOnItem({ ...call, ifMatch: undefined }, head, {
    key: 'items.update',
    branch: scope.branch,
    to: 'change',
  })
  requirePermission(call, 'assets.upload', { ...scope.branch, type: head.type })
  return requireTakesFiles(await typeOf(call, head), 'itemId')
}

/** Errors: `invalid`, naming the metadata that led to a type without files. */
function requireTakesFiles(type: ContentType, member: string): ContentType {
  if (type.settings.isAsset) return type
  throw invalid([
    { path: `metadata.${member}`, message: `the content type "${type.name}" does not accept files` },
  ])
}

// A partial blob is created before the row that refers to it.
const partialGraceMs = 60 * 60 * 1000

/** Deletes the bytes of uploads that expired or were never recorded. Returns the number deleted. */
export async function sweepUploads({
  blobs,
  clock,
  store,
}: Pick<Environment, 'blobs' | 'clock' | 'store'>): Promise<number> {
  const now = clock.now()
  let count = 0
  for await (const { id, writtenDate } of blobs.partials.list()) {
    if (writtenDate > now - partialGraceMs || (await isKnown(store.ephemera, id, now))) continue
    await blobs.partials.discard(id)
    count += 1
  }
  return count
}

/** The job that deletes abandoned uploads. */
export const uploadSweep: ReadonlyMap<string, JobHandler> = new Map([
  ['uploads.sweep', { slots: 1, each: 1, run: sweep }],
])

async function sweep(_job: Job, { call }: JobContext): Promise<JsonObject> {
  const uploads = await sweepUploads(call.environment)
  if (uploads > 0) call.environment.log.write('info', 'uploads.swept', { uploads })
  return { uploads }
}
