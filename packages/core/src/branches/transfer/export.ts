import {
  exportFormat,
  type ExportedEntity,
  type ExportManifest,
  type ExportedType,
  type Contract,
  type OutputOf,
  type ParsedOf,
} from '@quire/contract'
import { assetIn } from '../../content/items/asset.ts'
import { roleLists } from '../../content/items/check.ts'
import type { BranchKind } from '../../content/kinds/branch-kind.ts'
import { momentVisible, versionOf, visibleVersions } from '../../content/kinds/versions.ts'
import { defaultFirst } from '../../content/locales/form.ts'
import { findType } from '../../content/types/find.ts'
import { mayDo } from '../../engine/access/permissions.ts'
import type { Call } from '../../engine/call.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { plainRecord } from '../../engine/record-rules.ts'
import { canonicalText } from '../../engine/same.ts'
import type { Scope } from '../../engine/scope.ts'
import { openedFile, servedArchive, type ArchiveFile } from '../../files/assets/archive.ts'
import { openBlob } from '../../files/assets/stored-bytes.ts'
import type { Entity, EntityKind, Json, JsonObject } from '../../ports/index.ts'
import { branchKinds } from '../packages/kinds.ts'
import { mayReadHead } from '../packages/rights.ts'
import { activityOf } from './activity.ts'
import {
  asMembers,
  inVisibleForm,
  contentDigest,
  isSameContent,
  movedContent,
  withoutAbsent,
} from './content.ts'
import { extentOf, type Extent } from './extent.ts'
import { openMoment, type Moment } from './moment.ts'
import { earlierVersions } from './past.ts'
import { publicElsewhere, publishedLocales, type PublishedDates } from './publication.ts'
import { lastModified, parentsFirst, shardsOf, textMember } from './shards.ts'

type Export = Contract['repositories']['export']

/**
 * Main, or a part of it, as one ZIP archive, streamed while it is read. Errors: `not_found`,
 * `forbidden`; `invalid` for more than one part, and for what is no query; `too_many_requests` when
 * read while too many other archives are being read.
 */
export async function exportRepository(call: Call, input: ParsedOf<Export>): Promise<OutputOf<Export>> {
  const extent = await extentOf(call, input)
  const fileName = `${extent.scope.repository.name}.zip`
  return servedArchive(call, { fileName, files: () => membersOf(call, extent, input) })
}

/** What is found while the content is written, for the members after it. */
interface Collected {
  complete: boolean
  readonly counts: Map<string, number>
  readonly types: Set<string>
  readonly roles: Set<string>
  /** Sizes of files by hash. */
  readonly files: Map<string, number>
  /** Entities that were changed since they were created, by kind. */
  readonly older: ReadonlyMap<EntityKind, Changed[]>
}

/** An entity that has a past, with its version at the moment of the export. */
interface Changed {
  readonly id: string
  readonly version: number
  /** Where versions before the one that is exported as published are public, by their numbers. */
  readonly publicIn: ReadonlyMap<number, PublishedDates>
}

/** What to export besides the content. */
type Besides = Pick<ParsedOf<Export>, 'blobs' | 'history'>

/** The members of the archive. The order and the dates are always the same. */
async function* membersOf(call: Call, extent: Extent, besides: Besides): AsyncGenerator<ArchiveFile> {
  const { scope } = extent
  const moment = await openMoment(call, scope.branch)
  const found: Collected = {
    complete: extent.complete,
    counts: new Map(),
    types: new Set(),
    roles: new Set(),
    files: new Map(),
    older: new Map(branchKinds.map(({ kind }) => [kind, []])),
  }
  for (const rules of branchKinds)
    yield* shardsOf(`content/${rules.kind}`, linesOf(call, { rules, moment, extent, found }))
  for (const rules of branchKinds)
    yield* shardsOf(`history/${rules.kind}`, historyOf(call, scope, { rules, found }))
  for (const rules of branchKinds)
    yield* shardsOf(
      `versions/${rules.kind}`,
      versionsOf(call, scope, { rules, found, history: besides.history }),
    )
  if (besides.history) yield* shardsOf('activity/entry', activityOf(call, extent, found))
  yield* shardsOf('types/type', typesOf(call, found))
  if (besides.blobs) yield* filesOf(call, scope, found)
  yield textMember('manifest.json', `${canonicalText(await manifestOf(call, extent, { found, besides }))}\n`)
}

// Earlier contents of one entity: more than a person makes of it between two exchanges.
const mostDigests = 200

interface Kind {
  readonly rules: BranchKind
  readonly moment: Moment
  readonly extent: Extent
  readonly found: Collected
}

/** The entities of a kind that the caller may read, in their order: parents before children. */
async function* linesOf(call: Call, { rules, moment, extent: { ids }, found }: Kind): AsyncGenerator<Json> {
  const yieldToLoop = yieldingToLoop()
  const which = {
    ids: ids ? (ids.get(rules.kind) ?? []) : undefined,
    arrange: rules.tree ? parentsFirst : null,
  }
  for await (const page of moment.pages(rules.kind, which)) {
    for (const head of page) {
      if (isUnknownElsewhere(head)) continue
      const line = mayReadHead(call, head) ? await lineOf(call, rules, head) : null
      if (line) {
        note(found, head, line)
        yield line
      } else found.complete = false
      await yieldToLoop()
    }
  }
}

/** Whether it was both created and deleted in a package. */
function isUnknownElsewhere({ packageId, base, deletedDate }: Entity): boolean {
  return packageId !== null && base === null && deletedDate !== null
}

/** Null if the caller may not read what is published. */
async function lineOf(call: Call, rules: BranchKind, head: Entity): Promise<ExportedEntity | null> {
  const published = await publishedIn(call, rules, head)
  if (published === undefined) return null
  const { id, type, archived, publishedDate, createdDate, createdBy, updatedDate, updatedBy } = head
  const content = asMembers(movedContent(rules, head))
  const dates = { publishedDate, createdDate, createdBy, updatedDate, updatedBy }
  const deleted = head.deletedDate === null ? {} : { deleted: true as const }
  const inLocales = publishedLocales(head)
  return { kind: rules.kind, id, type, content, archived, ...deleted, published, ...dates, ...inLocales }
}

/** What is published; undefined if the caller may not read it. */
async function publishedIn(
  call: Call,
  rules: BranchKind,
  head: Entity,
): Promise<ExportedEntity['published'] | undefined> {
  if (head.publishedVersion === null) return null
  if (head.publishedVersion === head.version) return 'latest'
  const version = await versionOf(call.store.entities, head, head.publishedVersion)
  if (!version || !mayReadHead(call, { ...head, roles: version.roles })) return undefined
  const content = await withoutAbsent(
    call,
    head,
    movedContent(rules, await inVisibleForm(call, head, version)),
  )
  return isSameContent(content, movedContent(rules, head)) ? 'latest' : asMembers(content)
}

function note(found: Collected, { kind, id, type, version, ...head }: Entity, line: ExportedEntity): void {
  const { counts, older, types } = found
  counts.set(kind, (counts.get(kind) ?? 0) + 1)
  if (head.revision > 1 || head.base !== null)
    older.get(kind)?.push({ id, version, publicIn: publicElsewhere(head) })
  if (kind === 'item') types.add(type)
  noteContent(found, line.content)
  if (line.published !== null && line.published !== 'latest') noteContent(found, line.published)
}

function noteContent({ roles, files }: Collected, content: JsonObject): void {
  for (const list of roleLists) for (const role of idsIn(content[list])) roles.add(role)
  const asset = assetIn(content)
  if (asset) for (const { hash, size } of [asset, ...asset.renditions]) files.set(hash, size)
}

function idsIn(list: Json | undefined): readonly string[] {
  return Array.isArray(list) ? list.filter((id) => typeof id === 'string') : []
}

/** The entities of a kind that have a past, with their versions at the moment of the export. */
async function* changedOf(
  { store }: Call,
  { branch }: Scope,
  { rules: { kind }, found, isWanted = () => true }: OfKind,
): AsyncGenerator<Changed & { readonly head: Entity }> {
  for (const changed of (found.older.get(kind) ?? []).filter(isWanted)) {
    const head = await store.entities.get(branch, kind, changed.id)
    if (head) yield { ...changed, head }
  }
}

interface OfKind {
  readonly rules: BranchKind
  readonly found: Collected
  /** Default: all. */
  readonly isWanted?: (changed: Changed) => boolean
}

/** Earlier contents and the date of the state, by which an import finds the base of its merge. */
async function* historyOf(call: Call, scope: Scope, { rules, found }: OfKind): AsyncGenerator<Json> {
  for await (const { id, version: current, head } of changedOf(call, scope, { rules, found })) {
    const digests: string[] = []
    for await (const version of visibleVersions(call.store.entities, head, current)) {
      digests.push(await contentDigest(movedContent(rules, version)))
      if (digests.length === mostDigests) break
    }
    const moment = await momentVisible(call.store.entities, head, call.now)
    yield { kind: rules.kind, id, digests, stateDate: moment?.from ?? head.updatedDate }
  }
}

/** Earlier versions of the entities of a kind, as far as the caller may read them. */
async function* versionsOf(
  call: Call,
  scope: Scope,
  { rules, found, history }: OfKind & Pick<Besides, 'history'>,
): AsyncGenerator<Json> {
  const isWanted = ({ publicIn }: Changed) => history || publicIn.size > 0
  for await (const { version, publicIn, head } of changedOf(call, scope, { rules, found, isWanted })) {
    const which = { history, publicIn }
    const { lines, isComplete } = await earlierVersions(call, { rules, head: { ...head, version } }, which)
    found.complete &&= isComplete
    for (const line of lines) {
      noteContent(found, line.content)
      yield line
    }
  }
}

/** The content types of the exported items, by name. */
async function* typesOf(call: Call, { types }: Collected): AsyncGenerator<Json> {
  for (const name of [...types].toSorted()) {
    const {
      id: _id,
      isLocked: _lock,
      createdDate: _created,
      updatedDate: _updated,
      ...type
    } = plainRecord(await findType({ ...call, ifMatch: undefined }, name))
    yield type satisfies ExportedType as unknown as Json
  }
}

/** The files of the exported assets, by hash. */
async function* filesOf(call: Call, { branch }: Scope, found: Collected): AsyncGenerator<ArchiveFile> {
  if (found.files.size === 0) return
  if (!mayDo(call.identity.permissions, 'assets.download', branch)) {
    found.complete = false
    return
  }
  for (const [hash, size] of [...found.files].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    yield* openedFile(await openBlob(call, hash, { signal: call.signal }), {
      name: `blobs/${hash}`,
      lastModified,
      size,
    })
}

async function manifestOf(
  call: Call,
  { scope, extent, folderId }: Extent,
  { found, besides: { blobs, history } }: { found: Collected; besides: Besides },
): Promise<ExportManifest> {
  const { name, displayName, settings } = scope.repository
  const roles: [string, string][] = []
  for (const id of [...found.roles].toSorted()) {
    const role = await call.store.records.get('role', id)
    if (role) roles.push([id, role.name])
  }
  return {
    format: exportFormat.name,
    version: `${exportFormat.major}.${exportFormat.minor}`,
    repository: { name, displayName },
    extent,
    ...(folderId !== undefined && { folderId }),
    complete: found.complete && (blobs || found.files.size === 0),
    blobs,
    history,
    counts: Object.fromEntries(found.counts),
    roles: Object.fromEntries(roles),
    locales: settings.locales ? defaultFirst(settings.locales) : [],
  }
}
