import { readdir, readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { buildForBrowser } from '../browser-bundle.ts'

/** What was bundled. */
export interface Bundle {
  /** The text of each file, by its name. */
  readonly files: ReadonlyMap<string, string>
  /** The packages whose code in the bundle speaks of `Buffer`. */
  readonly bufferUsers: readonly string[]
  /** The packages that import a module of Node, as `package: module`. */
  readonly nodeImports: readonly string[]
}

interface Metafile {
  readonly inputs: Readonly<Record<string, { readonly imports: readonly { readonly path: string }[] }>>
}

/** Bundles the pages' modules into a folder as a site would load them. */
export async function bundlePages(folder: string): Promise<Bundle> {
  const pages = join(import.meta.dirname, 'pages')
  await buildForBrowser(folder, {
    embedded: join(pages, 'embedded.ts'),
    mocked: join(pages, 'mocked.ts'),
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

/** esbuild says before each module where it comes from. */
function bufferUsersIn(text: string): string[] {
  const [, ...parts] = text.split(/^\/\/ ((?:node_modules|packages|test)\/.+)$/m)
  return parts.flatMap((path, index) =>
    index % 2 === 0 && /^(?!\s*(?:\*|\/\/)).*\bBuffer\b/m.test(parts[index + 1] ?? '')
      ? [packageAt(path)]
      : [],
  )
}

/** What a package's own `browser` field leaves out is called disabled; tsup leaves all others to fail in the page. */
function nodeImportsIn({ inputs }: Metafile): string[] {
  return Object.entries(inputs).flatMap(([path, { imports }]) =>
    imports
      .map((imported) => imported.path.replace('(disabled):', ''))
      .filter(isBuiltin)
      .map((name) => `${packageAt(path)}: ${name}`),
  )
}

/** The package in node_modules, for a source of ours its path. */
function packageAt(path: string): string {
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)].toSorted()
}
