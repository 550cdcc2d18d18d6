import {
  ExportedEntity,
  parseAs,
  QuireError,
  type ContentType,
  type ExportManifest,
  type ImportRefusal,
  type Issue,
} from '@quire/contract'
import { assetIn, assetJson, fileProblem, type Asset } from '../../content/items/asset.ts'
import { roleLists } from '../../content/items/check.ts'
import { emptyContent, asContent, snapshotOf } from '../../content/items/content.ts'
import type { BranchKind } from '../../content/kinds/branch-kind.ts'
import { typeOf } from '../../content/types/find.ts'
import type { Call } from '../../engine/call.ts'
import { unfitProblem } from '../../engine/check-input.ts'
import type { Scope } from '../../engine/scope.ts'
import type { Entity, Json, JsonObject, Snapshot } from '../../ports/index.ts'
import { branchKinds } from '../packages/kinds.ts'
import { headsOf, refKey } from '../packages/sides.ts'
import { linesOf, type ArchiveLine } from './archive.ts'
import { jsonOf } from './content.ts'
import { takeAsset, type ArchiveFiles } from './files.ts'

/** An entity that a file brings, with its content as it is to be stored here. */
export interface Incoming {
  readonly at: string
  readonly rules: BranchKind
  readonly line: ExportedEntity
  readonly content: JsonObject
  /** The content that is published, if that is an older one. */
  readonly published: JsonObject | null
  /** Texts of its files by hash. */
  readonly texts: ReadonlyMap<string, string>
  /** The entity as a head that does not exist yet. */
  readonly head: Entity
}

/** What the lines of a file are read with. */
export interface Intake {
  readonly scope: Scope
  readonly files: ArchiveFiles
  /** Role ids here by role id in the file. */
  readonly roles: ReadonlyMap<string, string>
  /** Names of roles in the file by id, for messages. */
  readonly roleNames: ReadonlyMap<string, string>
  /** Adds a refusal. */
  readonly refuse: (refusal: ImportRefusal) => void
}

// Lines of a page, and characters. A page of small items is written in less than 0.1 s.
const linesOfPage = 100
const textOfPage = 4 * 1024 ** 2

/** Entities of a file that are planned and written together. */
export interface IncomingPage {
  readonly page: readonly Incoming[]
  /** Whether the file deletes them. */
  readonly isDeletion: boolean
}

/**
 * The entities of a file in the order in which they can be written: what others refer to first, and
 * at the end what a package deletes, in reverse. Refuses every line that cannot be imported, whatever
 * is here.
 */
export async function* pagesOfFile(
  call: Call,
  intake: Intake,
  { extent }: ExportManifest,
): AsyncGenerator<IncomingPage> {
  for (const rules of branchKinds)
    for await (const page of pagesOf(call, intake, rules))
      yield { page: page.filter(({ line }) => line.deleted !== true), isDeletion: false }
  if (extent !== 'package') return
  // What is wrong with them was told the first time.
  const again = { ...intake, refuse: () => undefined }
  for (const rules of branchKinds.toReversed()) {
    const deleted: Incoming[] = []
    for await (const page of pagesOf(call, again, rules))
      deleted.push(...page.filter(({ line }) => line.deleted === true))
    for (let end = deleted.length; end > 0; end -= linesOfPage)
      yield { page: deleted.slice(Math.max(0, end - linesOfPage), end).toReversed(), isDeletion: true }
  }
}

/** The entities of a kind, page by page, as a file has them. */
async function* pagesOf(call: Call, intake: Intake, rules: BranchKind): AsyncGenerator<readonly Incoming[]> {
  const seen = new Set<string>()
  for await (const lines of inPages(linesOf(intake.files.archive, `content/${rules.kind}`))) {
    call.signal?.throwIfAborted()
    const parsed = lines.flatMap((line) => parsedLine(intake, rules, { line, seen }) ?? [])
    const heads = await headsOf(
      call.store.entities,
      intake.scope.branch,
      parsed.map(({ line }) => line),
    )
    const page: Incoming[] = []
    for (const { at, line } of parsed) {
      const incoming = await incomingOf(call, intake, { at, line, rules, head: heads.get(refKey(line)) })
      if (incoming) page.push(incoming)
    }
    yield page
  }
}

async function* inPages(lines: AsyncIterable<ArchiveLine>): AsyncGenerator<readonly ArchiveLine[]> {
  let page: ArchiveLine[] = []
  let length = 0
  for await (const line of lines) {
    page.push(line)
    length += line.text.length
    if (page.length < linesOfPage && length < textOfPage) continue
    yield page
    page = []
    length = 0
  }
  if (page.length > 0) yield page
}

interface ParsedLine {
  readonly at: string
  readonly line: ExportedEntity
}

/** Null if the line is refused. */
function parsedLine(
  { refuse }: Intake,
  rules: BranchKind,
  { line: { at, text }, seen }: { line: ArchiveLine; seen: Set<string> },
): ParsedLine | null {
  const no = (id: string | null, path: string, message: string) => {
    refuse({ at, id, path, message })
    return null
  }
  const value = jsonOf(text)
  if (value === undefined) return no(null, '', 'is not JSON')
  const unfit = unfitProblem(value)
  if (unfit !== null) return no(null, '', unfit)
  const parsed = parseAs(ExportedEntity, value)
  if ('issues' in parsed)
    return no(null, parsed.issues[0]?.path ?? '', parsed.issues[0]?.message ?? 'is not valid')
  const line = parsed.value
  if (line.kind !== rules.kind) return no(line.id, 'kind', `must be "${rules.kind}" in this member`)
  if (seen.has(line.id)) return no(line.id, 'id', 'is in the file twice')
  seen.add(line.id)
  const owner = ownerOf(line)
  if (owner !== null && line.type !== owner) return no(line.id, 'type', `must be "${owner}"`)
  return { at, line }
}

/** The type of everything that is not an item: its kind, or the id of its site. Null for items. */
function ownerOf({ kind, id, content }: ExportedEntity): string | null {
  if (kind === 'item') return null
  if (kind === 'site') return id
  return kind === 'section' || kind === 'page' ? (textOf(content['siteId']) ?? '') : kind
}

interface Line extends ParsedLine {
  readonly rules: BranchKind
  /** The entity here; undefined if there is none. */
  readonly head: Entity | undefined
}

/** Null if the line is refused. */
async function incomingOf(
  call: Call,
  intake: Intake,
  { at, line, rules, head }: Line,
): Promise<Incoming | null> {
  const issues: Issue[] = []
  const texts = new Map<string, string>()
  const stored = async (content: ExportedEntity['content']) => {
    const mapped = withRoles(content, intake, issues)
    const { asset = null } = mapped
    if (line.kind !== 'item' || asset === null) return mapped
    const taken = await takeAsset(call, intake.files, { asset, head, issues })
    if (taken && taken.text !== null) texts.set(taken.asset.hash, taken.text)
    return { ...mapped, asset: assetJson(taken?.asset ?? null) }
  }
  const content = await stored(line.content)
  const published =
    line.published === null || line.published === 'latest' ? null : await stored(line.published)
  issues.push(...rules.shapeIssues(content), ...(published ? rules.shapeIssues(published) : []))
  const type =
    line.kind === 'item' && issues.length === 0 ? await typeFor(call, intake.scope, { line, issues }) : null
  if (type) issues.push(...fileIssues(type, assetIn(content)))
  if (issues.length === 0) issues.push(...(await rules.issues(call, line.type, content)))
  for (const { path, message } of issues) intake.refuse({ at, id: line.id, path, message })
  if (issues.length > 0) return null
  return { at, rules, line, content, published, texts, head: headOf(call, intake.scope, { line, content }) }
}

/** A content with the roles of this installation. An unknown role is an issue, and is never dropped. */
function withRoles(
  content: ExportedEntity['content'],
  { roles, roleNames }: Intake,
  issues: Issue[],
): JsonObject {
  const lists = roleLists.flatMap((list): [string, Json][] => {
    const ids = content[list]
    if (!Array.isArray(ids)) return []
    const mapped = ids.map((id) => {
      const here = typeof id === 'string' ? roles.get(id) : id
      if (typeof id !== 'string' || here !== undefined) return here ?? null
      const named = roleNames.get(id)
      const role = named === undefined ? `"${id}"` : `"${named}" (${id})`
      issues.push({ path: list, message: `there is no role ${role} here: say in \`roles\` which one to use` })
      return id
    })
    return [[list, mapped]]
  })
  return { ...(content as JsonObject), ...Object.fromEntries(lists) }
}

async function typeFor(
  call: Call,
  { repository }: Scope,
  { line: { type }, issues }: { line: ExportedEntity; issues: Issue[] },
): Promise<ContentType | null> {
  const { allowedTypes } = repository.settings
  if (allowedTypes.length > 0 && !allowedTypes.includes(type)) {
    issues.push({ path: 'type', message: `the repository "${repository.name}" does not allow "${type}"` })
    return null
  }
  try {
    return await typeOf(call, { type })
  } catch (error) {
    if (!(error instanceof QuireError)) throw error
    issues.push({ path: 'type', message: `there is no content type "${type}", here or in the file` })
    return null
  }
}

function fileIssues({ settings }: ContentType, asset: Asset | null): Issue[] {
  if (!settings.isAsset) return asset ? [{ path: 'asset', message: 'items of this type have no file' }] : []
  const problem = asset && fileProblem(asset, settings)
  return problem === null ? [] : [{ path: 'asset', message: problem }]
}

function headOf(
  call: Call,
  { branch }: Scope,
  { line, content }: { line: ExportedEntity; content: JsonObject },
): Entity {
  const { kind, id, archived, createdBy, updatedBy } = line
  const createdDate = Math.min(line.createdDate, call.now)
  return {
    ...branch,
    ...snapshotFor(line, content),
    kind,
    id,
    version: 0,
    revision: 0,
    base: null,
    publishedVersion: null,
    inheritsPublished: false,
    publishedDate: line.publishedDate === null ? null : Math.min(line.publishedDate, call.now),
    archived,
    deletedDate: null,
    createdDate,
    createdBy,
    updatedDate: Math.max(createdDate, Math.min(line.updatedDate, call.now)),
    updatedBy,
    json: '',
  }
}

/** For what is not an item, only the members that a plan needs. */
function snapshotFor({ kind, type }: ExportedEntity, content: JsonObject): Snapshot {
  if (kind === 'item') return snapshotOf(asContent(content, emptyContent), { type, cardPreview: null })
  const { name, slug, parentId } = content
  return {
    type,
    name: textOf(name) ?? '',
    slug: textOf(slug),
    parentId: textOf(parentId),
    roles: { read: [], write: [], delete: [] },
    body: {},
  }
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null
}
