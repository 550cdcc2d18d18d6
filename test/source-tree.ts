import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'

const root = dirname(import.meta.dirname)

export interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, { readonly 'quire-source': string }>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

export interface Import {
  readonly specifier: string
  /** Whether it is erased by compilation: `import type` and `export type`. */
  readonly typeOnly: boolean
}

export interface SourceFile {
  /** Path from the root of the repository, with forward slashes. */
  readonly path: string
  /** The package's folder below `packages`, or the first folder for files outside of packages. */
  readonly home: string
  readonly text: string
  readonly imports: readonly Import[]
  readonly isTest: boolean
  readonly isGenerated: boolean
}

export const packageNames: readonly string[] = readdirSync(join(root, 'packages'))
  .filter((name) => existsSync(join(root, 'packages', name, 'package.json')))
  .toSorted()

export function manifestOf(name: string): Manifest {
  const manifest: Manifest = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
  return manifest
}

/** The package's own sources, including tests. */
export function sourcesOf(name: string): SourceFile[] {
  return filesBelow(`packages/${name}/src`).map((path) => readSource(path, name))
}

export const packageSources: readonly SourceFile[] = packageNames.flatMap(sourcesOf)

/** Our sources that do not belong to a package. */
export const otherSources: readonly SourceFile[] = ['test', 'examples', 'bench', 'scripts', 'deploy'].flatMap(
  (folder) => filesBelow(folder).map((path) => readSource(path, folder)),
)

/**
 * The file that a relative import or a workspace specifier refers to; undefined for external
 * packages.
 */
export function resolveImport(from: SourceFile, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from.path), specifier)
  const [scope, name, ...rest] = specifier.split('/')
  if (scope !== '@quire' || name === undefined) return undefined
  const entry = manifestOf(name).exports[['.', ...rest].join('/')]
  return entry && posix.join('packages', name, entry['quire-source'])
}

/** `zod` for `zod/v4`, `@scope/name` for `@scope/name/sub`. */
export function packageOf(specifier: string): string {
  const parts = specifier.split('/')
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
}

/** The text without comments and without string literals, for rules about code alone. */
export function codeOf(file: SourceFile): string {
  const lines = file.text.split('\n').filter((line) => !/^\s*(?:\/\*|\*|\/\/)/.test(line))
  return lines
    .map((line) => line.replace(/\s\/\/\s.*$/, '').replaceAll(/(['"`])(?:\\.|(?!\1).)*\1/g, '$1$1'))
    .join('\n')
}

function filesBelow(folder: string): string[] {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : filesBelow(path)
    return /\.(?:tsx?|mjs)$/.test(entry.name) ? [path] : []
  })
}

function readSource(path: string, home: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8')
  return {
    path,
    home,
    text,
    imports: importsOf(text),
    isTest: basename(path).endsWith('.test.ts'),
    isGenerated: /^\/[/*]+ *Generated\b/.test(text),
  }
}

/** The formatter puts every import at the start of a line, so no parser is needed. */
function importsOf(text: string): Import[] {
  const statements = text.matchAll(
    /^(?:import|export)(\s+type\b)?(?:[^'";=()]*?\sfrom)?\s*['"]([^'"]+)['"]/gm,
  )
  const dynamic = text.matchAll(/^(?!\s*(?:\*|\/\/)).*?(\btypeof\s+)?\bimport\(\s*['"]([^'"]+)['"]/gm)
  return [...statements, ...dynamic].map(([, type, specifier]) => ({
    specifier: specifier ?? '',
    typeOnly: type !== undefined,
  }))
}
