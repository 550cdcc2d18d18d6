import { readdir, readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { buildForBrowser } from '../browser-bundle.ts'

export interface Bundle {
  /** The text of each file by name. */
  readonly files: ReadonlyMap<string, string>
  /** Packages with code in the bundle that uses `Buffer`. */
  readonly bufferUsers: readonly string[]
  /** Packages that import a Node module, as `package: module`. */
  readonly nodeImports: readonly string[]
}

interface Metafile {
  readonly inputs: Readonly<Record<string, { readonly imports: readonly { readonly path: string }[] }>>
}

/** Bundles the pages' modules into a folder as for a web site. */
export async function bundlePages(folder: string): Promise<Bundle> {
  const pages = join(import.meta.dirname, 'pages')
  await buildForBrowser(folder, {
    embedded: join(pages, 'embedded.ts'),
    mocked: join(pages, 'mocked.ts'),
    'another-origin': join(pages, 'another-origin.ts'),
  })
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js'))
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  const metafile: Metafile = JSON.parse(await readFile(join(folder, 'metafile-esm.json'), 'utf8'))
  return {
    files: new Map(names.map((name, index) => [name, texts[index] ?? ''])),
    bufferUsers: distinct(texts.flatMap(bufferUsersIn)),
    nodeImports: distinct(nodeImportsIn(metafile)),
  }
}

/** esbuild precedes each module with a comment that names its source. */
function bufferUsersIn(text: string): string[] {
  const [, ...parts] = text.split(/^\/\/ ((?:node_modules|packages|test)\/.+)$/m)
  return parts.flatMap((path, index) =>
    index % 2 === 0 && /^(?!\s*(?:\*|\/\/)).*\bBuffer\b/m.test(parts[index + 1] ?? '')
      ? [packageAt(path)]
      : [],
  )
}

/**
 * Modules that are excluded by a package's `browser` field are marked as disabled. tsup would let
 * the others fail in the page.
 */
function nodeImportsIn({ inputs }: Metafile): string[] {
  return Object.entries(inputs).flatMap(([path, { imports }]) =>
    imports
      .map((imported) => imported.path.replace('(disabled):', ''))
      .filter(isBuiltin)
      .map((name) => `${packageAt(path)}: ${name}`),
  )
}

/** The package in node_modules; for our own sources, their path. */
function packageAt(path: string): string {
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)].toSorted()
}
