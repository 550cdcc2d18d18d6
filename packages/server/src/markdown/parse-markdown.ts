import { isMap, isScalar, LineCounter, parseDocument, type Document, type YAMLMap } from 'yaml'
import { FileProblem } from './file-problem.ts'

/** One entry of the front matter. */
export interface FrontMatterEntry {
  readonly value: unknown
  /** Line in the file, from 1. */
  readonly line: number
}

/** A parsed Markdown file. */
export interface MarkdownFile {
  readonly entries: ReadonlyMap<string, FrontMatterEntry>
  /** The text after the front matter, without surrounding blank lines. */
  readonly body: string
  /** The line in the file on which `body` begins, from 1. */
  readonly bodyLine: number
}

/**
 * Parses a file with or without YAML front matter between `---` lines. Line endings are unchanged.
 * Errors: FileProblem with the line.
 */
export function parseMarkdown(text: string): MarkdownFile {
  // Each line retains its line ending.
  const lines = text.replace(/^\uFEFF/, '').split(/(?<=\r\n|\r(?!\n)|\n)/)
  if (lines[0]?.trimEnd() !== '---') return { entries: new Map(), ...bodyFrom(lines, 0) }
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---')
  if (end < 0) throw new FileProblem(1, 'the front matter is not closed by a line of ---')
  const yaml = lines.slice(1, end).map((line) => line.replace(/[\r\n]+$/, ''))
  return { entries: entriesOf(yaml.join('\n')), ...bodyFrom(lines, end + 1) }
}

function bodyFrom(lines: readonly string[], start: number): { body: string; bodyLine: number } {
  const blank = lines.slice(start).findIndex((line) => line.trim() !== '')
  const first = blank < 0 ? start : start + blank
  return { body: lines.slice(first).join('').trimEnd(), bodyLine: first + 1 }
}

/** The first line of front matter is the file's second. */
const linesBefore = 1

function entriesOf(yaml: string): ReadonlyMap<string, FrontMatterEntry> {
  const lineCounter = new LineCounter()
  const document = parseDocument(yaml, { lineCounter, prettyErrors: false, uniqueKeys: true })
  const lineAt = (offset: number) => lineCounter.linePos(offset).line + linesBefore
  const [error] = document.errors
  if (error) throw new FileProblem(lineAt(error.pos[0]), error.message)
  if (document.contents === null) return new Map()
  if (!isMap(document.contents)) throw new FileProblem(2, 'the front matter must be `key: value` lines')
  const values = valuesOf(document)
  return new Map(
    keysOf(document.contents).map(({ key, offset }) => [key, { value: values[key], line: lineAt(offset) }]),
  )
}

function valuesOf(document: Document): Readonly<Record<string, unknown>> {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    throw new FileProblem(2, error instanceof Error ? error.message : 'the front matter cannot be read', {
      cause: error,
    })
  }
}

function keysOf(map: YAMLMap): { key: string; offset: number }[] {
  return map.items.flatMap(({ key }) =>
    isScalar(key) ? [{ key: String(key.value), offset: key.range?.[0] ?? 0 }] : [],
  )
}
