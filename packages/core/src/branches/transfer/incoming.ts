import {
  QuireError,
  type ContentType,
  type ExportedEntity,
  type ImportRefusal,
  type Issue,
} from '@quire/contract'
import { assetIn, assetJson, fileProblem, type Asset } from '../../content/items/asset.ts'
import { roleLists } from '../../content/items/check.ts'
import { emptyContent, asContent, snapshotOf, withoutStamps } from '../../content/items/content.ts'
import type { BranchKind } from '../../content/kinds/branch-kind.ts'
import { formToStore, valuesInForm } from '../../content/locales/form.ts'
import { typeOf } from '../../content/types/find.ts'
import type { Call } from '../../engine/call.ts'
import { isSame } from '../../engine/same.ts'
import type { Scope } from '../../engine/scope.ts'
import {
  isJsonObject,
  type Entity,
  type Json,
  type JsonObject,
  type Snapshot,
  type UserRef,
} from '../../ports/index.ts'
import { takeAsset, type ArchiveFiles } from './files.ts'
import type { EarlierLine } from './past.ts'
import { publicationsOf, publishedHere, publishedPast, type PastPublication } from './publication.ts'

/** An entity that a file brings, with its content as it is to be stored here. */
export interface Incoming {
  readonly at: string
  readonly rules: BranchKind
  readonly line: ExportedEntity
  readonly content: JsonObject
  /** Whether localized values have another form here: of other locales, or plain. */
  readonly isConverted: boolean
  /** The content that is published, if that is an older one. */
  readonly published: JsonObject | null
  /** Its earlier versions, oldest first, if it does not exist here. */
  readonly past: readonly PastContent[]
  /** Whether the file says in which locales it is published, whatever main does: it is of a package. */
  readonly isOfPackage: boolean
  /** Texts of its files by hash. */
  readonly texts: ReadonlyMap<string, string>
  /** The entity as a head that does not exist yet. */
  readonly head: Entity
}

/** An earlier version of an entity, as it is to be stored here. */
export interface PastContent extends PastPublication {
  readonly content: JsonObject
  readonly savedDate: number
  readonly savedBy: UserRef
}

/** The earlier versions of an entity that are public here. */
export function publicPast({ past }: Incoming): readonly PastContent[] {
  return past.filter(({ publications, publishedDate }) => publications ?? publishedDate !== undefined)
}

/** What the lines of a file are read with. */
export interface Intake {
  readonly scope: Scope
  readonly files: ArchiveFiles
  /** Role ids here by role id in the file. */
  readonly roles: ReadonlyMap<string, string>
  /** Names of roles in the file by id, for messages. */
  readonly roleNames: ReadonlyMap<string, string>
  /** Whether the file has the changes of a package. */
  readonly isOfPackage: boolean
  /** The locales of the file, the default one first. */
  readonly locales: readonly string[]
  /** Adds a refusal. */
  readonly refuse: (refusal: ImportRefusal) => void
}

/** An entity as it is in a file. */
export interface ParsedLine {
  readonly at: string
  readonly line: ExportedEntity
  /** Its earlier versions, oldest first. */
  readonly earlier: readonly EarlierLine[]
}

interface Line extends ParsedLine {
  readonly rules: BranchKind
  /** The entity here; undefined if there is none. */
  readonly head: Entity | undefined
}

/** A line without what no entity of its kind has. */
function withoutForeign({ states }: BranchKind, line: ExportedEntity): ExportedEntity {
  return states ? line : { ...line, publishedLocales: [] }
}

/** Null if the line is refused. */
export async function incomingOf(
  call: Call,
  intake: Intake,
  { at, line: sentLine, earlier, rules, head }: Line,
): Promise<Incoming | null> {
  const line = publishedHere(withoutForeign(rules, sentLine), intake)
  const texts = new Map<string, string>()
  const stored = async (content: ExportedEntity['content'], issues: Issue[]) => {
    const mapped = withRoles(content, intake, issues)
    const { asset = null } = mapped
    if (line.kind !== 'item' || asset === null) return mapped
    const taken = await takeAsset(call, intake.files, { asset, head, issues })
    if (taken && taken.text !== null) texts.set(taken.asset.hash, taken.text)
    return { ...mapped, asset: assetJson(taken?.asset ?? null) }
  }
  const issues: Issue[] = []
  const sent = await stored(line.content, issues)
  const sentPublished =
    line.published === null || line.published === 'latest' ? null : await stored(line.published, issues)
  issues.push(...[sent, sentPublished].flatMap((moved) => (moved ? rules.shapeIssues(moved) : [])))
  const type =
    line.kind === 'item' && issues.length === 0 ? await typeFor(call, intake.scope, { line, issues }) : null
  const inForm = (moved: JsonObject) => (type ? withValuesInForm(type, moved, intake.locales) : moved)
  const [content, published] = [inForm(sent), sentPublished && inForm(sentPublished)]
  if (type) issues.push(...fileIssues(type, assetIn(content)))
  if (issues.length === 0)
    issues.push(
      ...(await rules.issues(call, { type: line.type, repositoryId: intake.scope.repository.id }, content)),
    )
  for (const { path, message } of issues) intake.refuse({ at, id: line.id, path, message })
  // What is here already keeps its own past.
  const past = await pastOf(call, intake, { rules, earlier: head ? [] : earlier, stored, inForm })
  if (issues.length > 0 || past === null) return null
  const created = headOf(call, intake.scope, { line, content })
  const { isOfPackage } = intake
  return {
    at,
    rules,
    line,
    content,
    isConverted: !isSame(fieldsOf(sent, sentPublished), fieldsOf(content, published)),
    published,
    past,
    isOfPackage,
    texts,
    head: created,
  }
}

function fieldsOf(...contents: readonly (JsonObject | null)[]): Json[] {
  return contents.map((content) => content?.['fields'] ?? null)
}

function withValuesInForm(type: ContentType, content: JsonObject, locales: readonly string[]): JsonObject {
  const { fields = null } = content
  if (!isJsonObject(fields)) return content
  // Stamps of translations are about the default locale.
  const isSameSource = locales[0] === formToStore(type)?.locales[0]
  const moved = isSameSource ? content : withoutStamps(content)
  return { ...moved, fields: valuesInForm(type, fields, { locales, paths: null }) }
}

interface Earlier extends Pick<Line, 'rules' | 'earlier'> {
  /** Makes a content as it is to be stored here. */
  readonly stored: (content: ExportedEntity['content'], issues: Issue[]) => Promise<JsonObject>
  /** Makes its localized values those of this repository. */
  readonly inForm: (content: JsonObject) => JsonObject
}

/** The earlier versions of an entity; null if one of them is refused. */
async function pastOf(
  call: Call,
  intake: Intake,
  { rules, earlier, stored, inForm }: Earlier,
): Promise<readonly PastContent[] | null> {
  const past: PastContent[] = []
  let isRefused = false
  for (const { at, version } of earlier) {
    const { id, savedBy } = version
    const issues: Issue[] = []
    const content = await stored(version.content, issues)
    for (const { path, message } of [...issues, ...rules.shapeIssues(content)]) {
      intake.refuse({ at, id, path, message })
      isRefused = true
    }
    const savedDate = Math.min(version.savedDate, call.now)
    const publication = rules.states ? publishedPast(call, version.publications, intake) : {}
    past.push({ content: inForm(content), savedDate, savedBy, ...publication })
  }
  return isRefused ? null : past
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
    return await typeOf(call, { type, repositoryId: repository.id })
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
    ...publicationsOf(call, line),
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
  if (kind === 'item')
    return snapshotOf(asContent(content, emptyContent), {
      type: { name: type },
      cardPreview: null,
    })
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
