// npm run figures: measures how much code a reader has to know. Files that run for a call, sizes, files
// with a single importer, folder cycles, methods of ports.
import { readFileSync, readdirSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Visitor, parseSync } from 'oxc-parser'
import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { privateWords } from '../test/private-words.ts'

const core = 'packages/core/src'

print([
  ...(await filesPerCall()),
  ...sizes(),
  ['folders directly in core/src', foldersIn(core).length, 12],
  ['folder cycles in core/src', folderCycles().length, 0],
  ['declared names with a private word', privateWords().length, 0],
  ['files to touch for a field kind', filesNaming('geo').length, 2],
  ['methods of a store', methodsOf('store.ts', 'Store'), 45],
  ['methods of a blob store', methodsOf('blobs.ts', 'Blobs'), 12],
])

/** Our files with a function that runs in a call. Measures the second call, without one-time loading. */
async function filesPerCall() {
  const quire = createQuire({ store: createMemoryStore(), jobs: 'elsewhere' })
  const api = quire.as(systemIdentity('figures'))
  const configId = 'figures'
  await api.repositories.create({ name: configId })
  await api.types.create({ name: 'article', fields: [{ name: 'title', kind: 'text' }] })
  let made = 0
  const create = (packageName) =>
    api.items.create({
      repositoryId: configId,
      packageName,
      type: 'article',
      name: `Item ${(made += 1)}`,
      slug: `item-${made}`,
      fields: { title: 'Ink' },
    })
  const changed = async () => {
    const name = `package-${(made += 1)}`
    await api.packages.create({ repo: configId, name })
    await create(name)
    return { repo: configId, packageName: name }
  }
  await create()
  const rows = []
  const count = async (name, goal, call) => rows.push([`files that run: ${name}`, await filesRun(call), goal])
  await count('read by slug in process', 15, async () => {
    const input = { configId, slug: 'item-1' }
    return () => api.items.getBySlug(input)
  })
  await count('create', 35, async () => () => create())
  await count('merge of one change', 50, async () => {
    const target = await changed()
    return () => api.packages.merge(target)
  })
  await quire.close()
  rows.push(['files that run: publish of a one-page site', await filesOfPublishing(), 70])
  return rows
}

/** Includes the job that renders the pages, in an engine that runs its own jobs. */
async function filesOfPublishing() {
  const quire = createQuire({ store: createMemoryStore() })
  const api = quire.as(systemIdentity('figures'))
  const configId = 'figures'
  await api.repositories.create({ name: configId })
  const { id: siteId } = await api.sites.create({ configId, name: 'Site', slug: 'site' })
  const { id: sectionId } = await api.sections.create({ configId, siteId, name: 'Section', slug: 'section' })
  const { id: rootPageId } = await api.pages.create({
    configId,
    siteId,
    sectionId,
    name: 'Page',
    slug: 'page',
  })
  await api.sections.update({ configId, siteId, id: sectionId, rootPageId })
  quire.work()
  let made = 0
  const files = await filesRun(async () => async () => {
    const { id: jobId } = await api.sites.publish({ configId, siteId, full: true, comment: `${(made += 1)}` })
    for await (const { state, error } of await api.queue.watch({ jobId }))
      if (state === 'failed') throw new Error(error)
  })
  await quire.close()
  return files
}

async function filesRun(prepare) {
  await (
    await prepare()
  )()
  const run = await prepare()
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await session.post('Profiler.takePreciseCoverage')
  await run()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  const ours = result.filter(
    ({ url, functions }) =>
      isOurs(url) && functions.some(({ functionName, ranges }) => functionName && ranges[0].count > 0),
  )
  return ours.length
}

function isOurs(url) {
  return url.startsWith('file:') && /\/packages\/[\w-]+\/src\//.test(fileURLToPath(url))
}

function sizes() {
  const files = sources(core)
  const importers = new Map(files.map((path) => [path, new Set()]))
  for (const path of files) for (const target of importsOf(path)) importers.get(target)?.add(path)
  const single = [...importers.values()].filter((from) => from.size === 1).length
  const texts = files.map((path) => readFileSync(path, 'utf8'))
  const lines = texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0)
  return [
    ['files of core, without tests', files.length, 400],
    ['lines of core, without tests', lines, 32_000],
    ['lines of core without comments and empty lines', texts.reduce((sum, text) => sum + codeLines(text), 0)],
    ['files of core that exactly one file imports', single, 100],
  ]
}

/** Lines that hold code. A comment here starts its line and is never followed by code. */
function codeLines(text) {
  const withoutComments = text.replaceAll(/^\s*(?:\/\*[\s\S]*?\*\/|\/\/.*)$/gm, '')
  return withoutComments.split('\n').filter((line) => line.trim() !== '').length
}

/** Files of the packages that name a field kind, without tests and suites. */
function filesNaming(kind) {
  const name = new RegExp(`\\b${kind}\\b`)
  return readdirSync('packages')
    .filter((one) => one !== 'testkit')
    .flatMap((one) => sources(`packages/${one}/src`))
    .filter((path) => !path.includes('/generated/') && name.test(readFileSync(path, 'utf8')))
}

/** Pairs of folders in core/src that import from each other. */
function folderCycles() {
  const folderOf = (path) => path.slice(core.length + 1).split('/')[0]
  const arrows = new Set(
    sources(core).flatMap((path) => importsOf(path).map((target) => `${folderOf(path)} ${folderOf(target)}`)),
  )
  return [...arrows].filter((arrow) => {
    const [from, to] = arrow.split(' ')
    return from < to && !from.endsWith('.ts') && !to.endsWith('.ts') && arrows.has(`${to} ${from}`)
  })
}

/** The number of methods of a port, including those of nested ports. */
function methodsOf(file, name) {
  const members = new Map()
  for (const path of readdirSync(`${core}/ports`).filter((one) => one.endsWith('.ts')))
    new Visitor({
      TSInterfaceDeclaration: ({ id, body, extends: bases }) =>
        members.set(id.name, [...body.body, ...bases.map(({ expression }) => ({ base: expression.name }))]),
    }).visit(parseSync(path, readFileSync(`${core}/ports/${path}`, 'utf8')).program)
  const count = (of) =>
    (members.get(of) ?? []).reduce((sum, { type, base, typeAnnotation }) => {
      if (base) return sum + count(base)
      if (type === 'TSMethodSignature') return sum + 1
      const held = typeAnnotation?.typeAnnotation?.typeName?.name
      return held && members.has(held) ? sum + count(held) : sum
    }, 0)
  return count(name)
}

function foldersIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
}

function sources(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return sources(path)
    return entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts') ? [path] : []
  })
}

function importsOf(path) {
  const found = readFileSync(path, 'utf8').matchAll(
    /^(?:import|export)\b[^'"]*?from '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm,
  )
  return [...found].map(([, fixed, lazy]) => normalize(join(dirname(path), fixed ?? lazy)))
}

function print(rows) {
  const width = Math.max(...rows.map(([name]) => name.length))
  for (const [name, value, goal] of rows)
    console.log(
      `${name.padEnd(width)}  ${String(value).padStart(6)}${goal === undefined ? '' : `  goal ${goal}`}${value > goal ? '  MISSED' : ''}`,
    )
}
