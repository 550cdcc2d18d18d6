import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locales } from '@quire/contract'
import { slugOf, type SourceFile } from './draft.ts'
import { FileProblem } from './file-problem.ts'
import { localeFile, localeOfPath, pathKey, type LocaleRules } from './locale-of-file.ts'
import { parseMarkdown } from './parse-markdown.ts'
import { slugOfPath } from './path-slug.ts'
import type { ImportTarget } from './references.ts'

/** A folder with the paths of its Markdown files. */
interface Folder {
  readonly folder: string
  readonly paths: readonly string[]
}

/** Reads a file, in its locale if the repository has locales. Errors: FileProblem. */
export async function readSource(
  folder: string,
  path: string,
  { type, locales }: Pick<ImportTarget, 'type' | 'locales'>,
): Promise<SourceFile> {
  const source = await parsed(folder, path)
  return locales ? localeFile(source, { type, locales }) : source
}

async function parsed(folder: string, path: string): Promise<SourceFile> {
  return { path, content: parseMarkdown(await readFile(join(folder, path), 'utf8')) }
}

/**
 * The paths of the files of each document, that of the default locale first. In a repository without
 * locales each file is one. Otherwise each is read, and what identifies its document is retained.
 */
export async function documentsOf(
  { folder, paths }: Folder,
  { type, locales }: Pick<ImportTarget, 'type' | 'locales'>,
): Promise<string[][]> {
  if (!locales) return paths.map((path) => [path])
  const files: Identified[] = []
  for (const path of paths) files.push(await identified(folder, path, { type, locales }))
  const byKey = [...Map.groupBy(files, ({ key }) => key).values()].map((same) => inOrder(same, locales))
  // The same slug is the same item, which has the slug of its first file.
  const bySlug = Map.groupBy(byKey, ([first]) => first?.slug)
  return [...bySlug.values()].map((same) => inOrder(same.flat(), locales).map(({ path }) => path))
}

/** A file, and what identifies its document. */
interface Identified {
  readonly path: string
  readonly locale: string
  readonly key: string
  readonly slug: string
}

async function identified(folder: string, path: string, rules: LocaleRules): Promise<Identified> {
  try {
    const { locale, key, ...source } = localeFile(await parsed(folder, path), rules)
    return { path, locale, key, slug: slugOf(source) }
  } catch (error) {
    // It is reported when its document is imported.
    if (!(error instanceof FileProblem)) throw error
    const { locale, documentPath } = localeOfPath(path, rules.locales)
    return { path, locale, key: pathKey(documentPath), slug: slugOfPath(documentPath) }
  }
}

/** The file of the default locale, or else of the first one in the order of the repository. */
function inOrder(files: readonly Identified[], { default: first, list }: Locales): Identified[] {
  const codes = [first, ...list.map(({ code }) => code)]
  return files.toSorted((one, other) => codes.indexOf(one.locale) - codes.indexOf(other.locale))
}
