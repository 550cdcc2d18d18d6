import { isBuiltin } from 'node:module'
import { parseSync } from 'oxc-parser'
import { describe, expect, it } from 'vitest'
import {
  type Import,
  type SourceFile,
  codeOf,
  manifestOf,
  otherSources,
  packageNames,
  packageOf,
  packageSources,
  resolveImport,
  sourcesOf,
} from './source-tree.ts'

/** The packages of ours that each package may import. This table is the architecture diagram. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  core: ['@quire/contract'],
  client: ['@quire/contract'],
  console: ['@quire/client'],
  http: ['@quire/contract', '@quire/core'],
  mcp: ['@quire/contract', '@quire/core'],
  'store-sql': ['@quire/contract', '@quire/core/ports'],
  'store-sqlite': ['@quire/store-sql', '@quire/core/ports'],
  'store-postgres': ['@quire/store-sql', '@quire/core/ports'],
  'blobs-fs': ['@quire/core/ports'],
  'blobs-s3': ['@quire/core/ports'],
  'media-sharp': ['@quire/core/ports'],
  'outbound-undici': ['@quire/core/ports'],
  'extract-node': ['@quire/core/ports'],
  testkit: ['@quire/contract', '@quire/core'],
  server: packageNames.filter((name) => name !== 'server').map((name) => `@quire/${name}`),
}

/** Packages whose code the build of a package contains: who installs it does not install them. */
const bundled: Readonly<Record<string, readonly string[]>> = {
  console: [
    '@quire/client',
    '@tanstack/react-query',
    '@tanstack/react-router',
    'diff',
    'react',
    '@tiptap/core',
    '@tiptap/starter-kit',
    'react-aria-components',
    'react-dom',
  ],
  core: ['@zip.js/zip.js', 'papaparse'],
  server: ['@zip.js/zip.js'],
  'store-sql': ['drizzle-orm'],
}

/** What the mock of the client also imports: it is the engine, and the handler of every host. */
const mocked: readonly string[] = ['@quire/core', '@quire/http']

/** These packages also run in a browser: no Node module, no framework, no driver. */
const webPackages = ['contract', 'core', 'client']

/**
 * The areas of core. Each may import only those above it in this list. The files directly in src,
 * and memory, may import all of them.
 */
const areas: readonly string[] = [
  'ports',
  'adapters',
  'engine',
  'people',
  'content',
  'files',
  'delivery',
  'branches',
  'automation',
  'connections',
  'admin',
]

const inCore = (path: string) => `packages/core/src/${path}`

/** The only file that puts a transaction into a call. */
const callFile = inCore('engine/create-call.ts')

/** The only file that sends requests to other servers: it passes the trace on. */
const sendFile = inCore('engine/send.ts')

/** A service resumes a rebuild before its engine runs. */
const rebuildFile = inCore('admin/rebuild.ts')

const shipped = packageSources.filter((file) => !file.isTest)
const isMock = (file: SourceFile) => file.path.startsWith('packages/client/src/mock/')
const byPath = new Map(packageSources.map((file) => [file.path, file]))

describe('packages', () => {
  it('are all in the table of allowed imports', () => {
    expect(packageNames.filter((name) => !(name in allowed))).toEqual([])
  })

  it.each(packageNames)('%s imports only packages that the table allows', (name) => {
    const ours = sourcesOf(name).flatMap((file) =>
      file.imports
        .filter(({ specifier }) => specifier.startsWith('@quire/'))
        .filter(({ specifier }) => !mayImport(file, specifier))
        .map(({ specifier }) => `${file.path}: ${specifier}`),
    )
    expect(ours).toEqual([])
  })

  it.each(packageNames)('%s lists in its package.json only dependencies that it may import', (name) => {
    const { dependencies = {}, devDependencies = {}, peerDependencies = {} } = manifestOf(name)
    const permitted = new Set((allowed[name] ?? []).map(packageOf))
    if (name === 'client') for (const part of mocked) permitted.add(part)
    const inTests = new Set([...permitted, '@quire/testkit'])
    const isOurs = (dependency: string) => dependency.startsWith('@quire/')
    const wrong = [
      ...Object.keys({ ...dependencies, ...peerDependencies }).filter(
        (key) => isOurs(key) && !permitted.has(key),
      ),
      ...Object.keys(devDependencies).filter((key) => isOurs(key) && !inTests.has(key)),
    ]
    expect(wrong).toEqual([])
  })

  it.each(packageNames)('%s lists in its package.json every package that it imports', (name) => {
    const { dependencies = {}, peerDependencies = {} } = manifestOf(name)
    const named = new Set([
      ...Object.keys({ ...dependencies, ...peerDependencies }),
      ...(bundled[name] ?? []),
    ])
    const unnamed = shippedImports(name)
      .filter(({ specifier }) => !specifier.startsWith('.') && !isBuiltin(specifier))
      .filter(({ specifier }) => !named.has(packageOf(specifier)))
      .map(({ file, specifier }) => `${file.path}: ${specifier}`)
    expect(unnamed).toEqual([])
  })

  it('are imported only through their exports', () => {
    const inside = [...packageSources, ...otherSources].flatMap((file) =>
      file.imports
        .filter(({ specifier }) => specifier.startsWith('@quire/') || specifier.startsWith('.'))
        .filter(({ specifier }) => isInside(file, specifier))
        .map(({ specifier }) => `${file.path}: ${specifier}`),
    )
    expect(inside).toEqual([])
  })

  it('import only types from the contract if they are stores', () => {
    const values = shippedImports('store-sql').filter(
      ({ specifier, typeOnly }) => specifier.startsWith('@quire/contract') && !typeOnly,
    )
    expect(values.map(({ file, specifier }) => `${file.path}: ${specifier}`)).toEqual([])
  })
})

describe('the web packages', () => {
  it.each(webPackages)('%s imports no Node module', (name) => {
    const node = shippedImports(name)
      .filter(({ file, specifier }) => isBuiltin(specifier) && !isMock(file))
      .map(({ file, specifier }) => `${file.path}: ${specifier}`)
    expect(node).toEqual([])
  })

  it('the handler without Node parts loads no Node module', () => {
    const node = runtimeGraph('packages/http/src/web.ts').flatMap((file) =>
      runtimeImports(file)
        .filter(({ specifier }) => isBuiltin(specifier))
        .map(({ specifier }) => `${file.path}: ${specifier}`),
    )
    expect(node).toEqual([])
  })

  it.each(['client/src/index.ts', 'contract/src/routes.ts', 'contract/src/codec/index.ts'])(
    '%s does not load zod at run time',
    (entry) => {
      const reached = runtimeGraph(`packages/${entry}`)
      const zod = reached.filter((file) =>
        runtimeImports(file).some(({ specifier }) => packageOf(specifier) === 'zod'),
      )
      expect(zod.map((file) => file.path)).toEqual([])
    },
  )
})

describe('inside core', () => {
  it('every folder is an area or memory', () => {
    const folders = new Set(coreFiles().map(({ path }) => coreFolder(path)))
    expect([...folders].toSorted()).toEqual(['(top)', 'memory', ...areas].toSorted())
  })

  it('an area imports only areas above it', () => {
    const upward = coreFiles()
      .filter(({ path }) => areas.includes(coreFolder(path)))
      .flatMap((file) =>
        relativeTargets(file)
          .filter((target) => target.startsWith(inCore('')) && rankOf(target) > rankOf(file.path))
          .map((target) => `${file.path} → ${target}`),
      )
    expect(upward).toEqual([])
  })
})

describe('ports', () => {
  it('hold interfaces, constants and errors, and no logic but type guards', () => {
    const logic = sourcesOf('core')
      .filter(({ path, isTest }) => path.startsWith(inCore('ports/')) && !isTest)
      .flatMap((file) => logicIn(file).map((name) => `${file.path}: ${name}`))
    expect(logic).toEqual([])
  })
})

/** The functions of a file that are not type guards, and its classes that are not errors. */
function logicIn({ path, text }: SourceFile): string[] {
  const statements = parseSync(path, text).program.body.map((node) =>
    node.type === 'ExportNamedDeclaration' && node.declaration ? node.declaration : node,
  )
  return statements.flatMap((node) => {
    if (node.type === 'FunctionDeclaration')
      return node.returnType?.typeAnnotation.type === 'TSTypePredicate' ? [] : [node.id?.name ?? '']
    if (node.type !== 'ClassDeclaration') return []
    const isError = node.superClass?.type === 'Identifier' && node.superClass.name === 'Error'
    return isError ? [] : [node.id?.name ?? '']
  })
}

describe('heavy libraries', () => {
  // Each is loaded when it is first used: together they take longer than the rest of a start.
  const heavy = ['graphql', 'parse5', 'liquidjs', 'sanitize-html', 'marked', 'diff', 'sharp']

  it.each(['core/src/index.ts', 'core/src/memory/index.ts', 'server/src/cli.ts'])(
    'are not loaded with %s',
    (entry) => {
      const loaded = loadedWith(`packages/${entry}`).flatMap((file) =>
        staticImports(file)
          .filter((specifier) => heavy.includes(packageOf(specifier)))
          .map((specifier) => `${file.path}: ${specifier}`),
      )
      expect(loaded).toEqual([])
    },
  )
})

/** All our files that an entry loads at once, without what it imports later by `import()`. */
function loadedWith(entry: string): SourceFile[] {
  const seen = new Set<SourceFile>()
  const visit = (path: string | undefined) => {
    const file = byPath.get(path ?? '')
    if (!file || seen.has(file)) return
    seen.add(file)
    for (const specifier of staticImports(file)) visit(resolveImport(file, specifier))
  }
  visit(entry)
  return [...seen]
}

/** The modules that a file imports or exports from when it is loaded. */
function staticImports({ path, text }: SourceFile): string[] {
  return parseSync(path, text).program.body.flatMap((node) => {
    if (node.type === 'ImportDeclaration') return node.importKind === 'type' ? [] : [node.source.value]
    const isExport = node.type === 'ExportNamedDeclaration' || node.type === 'ExportAllDeclaration'
    return isExport && node.source && node.exportKind !== 'type' ? [node.source.value] : []
  })
}

describe('a write in core', () => {
  it('has one context: no function takes both a call and a transaction', () => {
    const both = /\([^()]*:\s*(?:Write)?Call\b[^()]*:\s*(?:Pick<)?Transaction\b[^()]*\)/
    expect(matching(both)).toEqual([callFile])
  })

  it('is started by the call, and no other code puts a transaction into a call', () => {
    const byHand = /\bwithin\((?:call|caller)\b|\.\.\.call,\s*store\b/
    expect(matching(byHand)).toEqual([callFile])
  })

  it('adds to the journal and the queue only through the call', () => {
    expect(matching(/\bjournal\.record\(|\bjobs\.enqueue\(/)).toEqual([rebuildFile, callFile])
  })

  it('starts no transaction outside of a call, except before there is an engine', () => {
    expect(matching(/\.transaction\(/)).toEqual([rebuildFile, callFile].toSorted())
  })

  it('sends requests to other servers in one file, which passes the trace on', () => {
    expect(matching(/\boutbound\s*\.(?:send|open)\(/)).toEqual([sendFile])
  })
})

describe('field kinds', () => {
  /**
   * Code about a single kind: titles and slugs are text, and Markdown files have rich text and
   * dates.
   */
  const aboutOneKind = [
    'packages/core/src/content/types/definition.ts',
    'packages/server/src/markdown/draft.ts',
    'packages/server/src/markdown/values.ts',
  ]

  it('are distinguished only by the tables of the contract and the engine, which are complete', () => {
    const asking = shipped.filter(({ text }) => /\bfield\??\.kind [!=]== '/.test(text))
    expect(asking.map(({ path }) => path).filter((path) => !aboutOneKind.includes(path))).toEqual([])
  })
})

describe('files', () => {
  it('import each other without a cycle', () => {
    expect(findCycle()).toEqual([])
  })
})

/** Files of core whose code matches, except for the memory store. */
function matching(pattern: RegExp): string[] {
  return coreFiles()
    .filter((file) => coreFolder(file.path) !== 'memory' && pattern.test(codeOf(file)))
    .map(({ path }) => path)
}

function mayImport(file: SourceFile, specifier: string): boolean {
  // A test may run the engine on top of the code that it tests.
  if (file.isTest && ['@quire/testkit', '@quire/core'].includes(packageOf(specifier))) return true
  if (isMock(file) && mocked.includes(packageOf(specifier))) return true
  return (allowed[file.home] ?? []).some((name) => specifier === name || specifier.startsWith(`${name}/`))
}

/**
 * A workspace specifier that is not exported, or a relative one that points into another package.
 */
function isInside(file: SourceFile, specifier: string): boolean {
  const target = resolveImport(file, specifier)
  if (specifier.startsWith('@quire/')) return target === undefined
  const [top, home] = (target ?? '').split('/')
  return top === 'packages' && home !== file.home
}

function shippedImports(name: string): (Import & { file: SourceFile })[] {
  const files = shipped.filter((file) => file.home === name)
  return files.flatMap((file) => file.imports.map((found) => ({ ...found, file })))
}

function runtimeImports(file: SourceFile): Import[] {
  return file.imports.filter(({ typeOnly }) => !typeOnly)
}

/** All our files that are loaded with an entry. */
function runtimeGraph(entry: string): SourceFile[] {
  const seen = new Set<SourceFile>()
  const visit = (path: string | undefined) => {
    const file = byPath.get(path ?? '')
    if (!file || seen.has(file)) return
    seen.add(file)
    for (const { specifier } of runtimeImports(file)) visit(resolveImport(file, specifier))
  }
  visit(entry)
  return [...seen]
}

function coreFiles(): SourceFile[] {
  return shipped.filter((file) => file.home === 'core')
}

function coreFolder(path: string): string {
  const [, , , first = '', ...rest] = path.split('/')
  return rest.length > 0 ? first : '(top)'
}

/** The position of an area in the list. The top level and memory rank below all areas. */
function rankOf(path: string): number {
  const rank = areas.indexOf(coreFolder(path))
  return rank === -1 ? areas.length : rank
}

function relativeTargets(file: SourceFile): string[] {
  return file.imports
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier }) => resolveImport(file, specifier) ?? '')
}

/**
 * The first cycle that is found, as a list of files. Type imports count, because they couple files,
 * too.
 */
function findCycle(): string[] {
  const done = new Set<string>()
  const search = (path: string, trail: readonly string[]): string[] => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path]
    const file = byPath.get(path)
    if (!file || done.has(path)) return []
    for (const { specifier } of file.imports) {
      const cycle = search(resolveImport(file, specifier) ?? '', [...trail, path])
      if (cycle.length > 0) return cycle
    }
    done.add(path)
    return []
  }
  return [...byPath.keys()].map((path) => search(path, [])).find((cycle) => cycle.length > 0) ?? []
}
