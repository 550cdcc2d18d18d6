import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { build } from 'tsup'

/** The part of an entry that a page loads at first. */
export interface BrowserBundle {
  /** The minified entry with all static imports. */
  readonly code: Buffer
  /** The number of files that it consists of. */
  readonly files: number
  /** All sources, including those that are loaded later. */
  readonly inputs: readonly string[]
}

interface Output {
  readonly imports: readonly { readonly path: string; readonly kind: string }[]
  readonly inputs: Readonly<Record<string, unknown>>
}

/** How a bundle is made. */
interface BundleOptions {
  readonly minify?: boolean
  /** Of the built packages, as a consumer has them, instead of the sources. Default: false. */
  readonly published?: boolean
}

/** Bundles entries into a folder as for a web site: for a browser, with code splitting. */
export async function buildForBrowser(
  folder: string,
  entry: Readonly<Record<string, string>>,
  { minify = false, published = false }: BundleOptions = {},
): Promise<void> {
  await build({
    entry: { ...entry },
    outDir: folder,
    config: false,
    silent: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    minify,
    splitting: true,
    metafile: true,
    noExternal: [/./],
    esbuildOptions: (options) => {
      options.conditions = published ? [] : ['quire-source']
    },
  })
}

/** Bundles an entry for a browser. esbuild fails if it uses a Node module. */
export async function bundleForBrowser(
  entry: string,
  { published = false }: Pick<BundleOptions, 'published'> = {},
): Promise<BrowserBundle> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-bundle-'))
  try {
    await buildForBrowser(folder, { bundle: entry }, { minify: true, published })
    const { outputs }: { outputs: Record<string, Output> } = JSON.parse(
      await readFile(join(folder, 'metafile-esm.json'), 'utf8'),
    )
    const named = new Map(Object.entries(outputs).map(([path, output]) => [basename(path), output]))
    const files = loadedAtOnce(named, 'bundle.js')
    const code = Buffer.concat(await Promise.all(files.map((file) => readFile(join(folder, file)))))
    return {
      code,
      files: files.length,
      inputs: Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs)),
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** An output and its static imports, without those that are loaded on demand. */
function loadedAtOnce(outputs: ReadonlyMap<string, Output>, entry: string): string[] {
  const seen = new Set<string>()
  const visit = (file: string) => {
    if (seen.has(file)) return
    seen.add(file)
    for (const { path, kind } of outputs.get(file)?.imports ?? [])
      if (kind === 'import-statement') visit(basename(path))
  }
  visit(entry)
  return [...seen]
}
