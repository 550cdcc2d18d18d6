import type { ContentType, Field } from '@quire/contract'
import { FileProblem } from './file-problem.ts'
import { cutToName, headingOf } from './heading.ts'
import { htmlOf } from './html.ts'
import type { FrontMatterEntry, MarkdownFile } from './parse-markdown.ts'
import { slugOfPath } from './path-slug.ts'
import { fieldValue } from './values.ts'

/** An item as a Markdown file describes it. */
export interface Draft {
  /** The file. */
  readonly path: string
  /** The locale of its values; undefined in a repository without locales. */
  readonly locale: string | undefined
  readonly slug: string
  readonly name: string
  /** Undefined when the file does not set it. */
  readonly description: string | undefined
  readonly fields: Readonly<Record<string, unknown>>
  readonly isPublished: boolean
  /** Line numbers in the file by member of the item (`slug`, `fields.author`). */
  readonly lines: ReadonlyMap<string, number>
}

export interface SourceFile {
  /** Relative to the imported folder, with forward slashes. */
  readonly path: string
  readonly content: MarkdownFile
  /** In a repository with locales. */
  readonly locale?: string
  /** The path without the locale. Default: `path`. */
  readonly documentPath?: string
}

/** Front matter keys that set members of the item, in addition to fields of the same name. */
const general: ReadonlyMap<string, string> = new Map([
  ['title', 'name'],
  ['slug', 'slug'],
  ['summary', 'description'],
  ['description', 'description'],
  ['published', 'published'],
])

/**
 * The item that a file describes. `title` (else the first heading, else the path) is its name,
 * `slug` its slug, `summary` its description, and each key the field of that name. The text goes to
 * the rich text field, as HTML if that field requires HTML.
 * Errors: FileProblem with the line.
 */
export function draftOf(source: SourceFile, type: ContentType): Draft {
  const { path, content, locale, documentPath = path } = source
  const given = (key: string) => content.entries.get(key)
  const { fields, lines } = fieldsOf(content, type)
  const name = textOf(given('title')) ?? headingOf(content.body) ?? cutToName(documentPath)
  const hasTitle = type.fields.some((field) => field.name === 'title' && field.kind === 'text')
  return {
    path,
    locale,
    slug: slugOf(source),
    name,
    description: textOf(given('summary')) ?? textOf(given('description')),
    fields: { ...(hasTitle && { title: name }), ...Object.fromEntries(fields) },
    isPublished: flagOf(given('published')),
    lines,
  }
}

/** The slug of a file: that of its front matter, or else of its path. Errors: FileProblem. */
export function slugOf({ path, content, documentPath = path }: SourceFile): string {
  return textOf(content.entries.get('slug')) ?? slugOfPath(documentPath)
}

interface GivenMembers {
  readonly fields: Map<string, unknown>
  readonly lines: Map<string, number>
}

function fieldsOf(content: MarkdownFile, type: ContentType): GivenMembers {
  const given: GivenMembers = { fields: new Map(), lines: new Map() }
  for (const [key, entry] of content.entries) addEntry(given, key, { entry, type })
  addBody(given, content, type)
  return given
}

function addEntry(
  { fields, lines }: GivenMembers,
  key: string,
  { entry, type }: { entry: FrontMatterEntry; type: ContentType },
): void {
  const meaning = general.get(key)
  if (meaning) lines.set(meaning, entry.line)
  const field = type.fields.find(({ name }) => name === key)
  if (!field && !meaning) throw unknownKey(key, entry, type)
  if (!field || entry.value === null) return
  fields.set(key, fieldValue(field, entry))
  lines.set(`fields.${key}`, entry.line)
}

function addBody({ fields, lines }: GivenMembers, { body, bodyLine }: MarkdownFile, type: ContentType): void {
  const field = bodyField(type)
  if (body === '') return
  if (!field)
    throw new FileProblem(bodyLine, `the content type "${type.name}" has no richText field for the text`)
  if (fields.has(field.name)) {
    throw new FileProblem(
      lines.get(`fields.${field.name}`) ?? 1,
      `"${field.name}" is set here and by the text below: use only one of them`,
    )
  }
  const isHtml = field.kind === 'richText' && field.settings.format === 'html'
  fields.set(field.name, isHtml ? htmlOf(body) : body)
  lines.set(`fields.${field.name}`, bodyLine)
}

/** The field for the text: Markdown before HTML, `body` before others. */
function bodyField({ fields }: ContentType): Field | undefined {
  const rich = fields.filter((field) => field.kind === 'richText' && !field.list)
  const markdown = rich.filter((field) => field.kind === 'richText' && field.settings.format === 'markdown')
  const candidates = [...markdown, ...rich]
  return markdown.find(({ name }) => name === 'body') ?? candidates[0]
}

/** A value as text; undefined if there is none. Errors: FileProblem. */
export function textOf(entry: FrontMatterEntry | undefined): string | undefined {
  if (entry === undefined || entry.value === null) return undefined
  const { value, line } = entry
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new FileProblem(line, 'must be text')
}

function flagOf(entry: FrontMatterEntry | undefined): boolean {
  if (entry === undefined || entry.value === null) return false
  if (typeof entry.value !== 'boolean') throw new FileProblem(entry.line, 'published must be true or false')
  return entry.value
}

function unknownKey(key: string, { line }: FrontMatterEntry, { name, fields }: ContentType): FileProblem {
  const known = fields.map((field) => field.name).join(', ')
  return new FileProblem(line, `"${key}" is not a field of the content type "${name}", which has ${known}`)
}
