import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { build } from 'tsup'

/** What a page loads of an entry before it asks for more. */
export interface BrowserBundle {
  /** Minified: the entry with everything that it imports at once. */
  readonly code: Buffer
  /** The sources in all of it, also of what is loaded later. */
  readonly inputs: readonly string[]
}

interface Output {
  readonly imports: readonly { readonly path: string; readonly kind: string }[]
  readonly inputs: Readonly<Record<string, unknown>>
}

/** Bundles entries into a folder as a site loads them: for a browser, from the sources, in parts, with esbuild's metafile. */
export async function buildForBrowser(
  folder: string,
  entry: Readonly<Record<string, string>>,
  { minify = false }: { minify?: boolean } = {},
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
      options.conditions = ['quire-source']
    },
  })
}

/** Bundles an entry for a browser, where esbuild refuses Node's modules. */
export async function bundleForBrowser(entry: string): Promise<BrowserBundle> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-bundle-'))
  try {
    await buildForBrowser(folder, { bundle: entry }, { minify: true })
    const { outputs }: { outputs: Record<string, Output> } = JSON.parse(
      await readFile(join(folder, 'metafile-esm.json'), 'utf8'),
    )
    const named = new Map(Object.entries(outputs).map(([path, output]) => [basename(path), output]))
    const files = loadedAtOnce(named, 'bundle.js')
    const code = Buffer.concat(await Promise.all(files.map((file) => readFile(join(folder, file)))))
    return { code, inputs: Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs)) }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** An output and those that it imports, but for what it loads when it needs it. */
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
