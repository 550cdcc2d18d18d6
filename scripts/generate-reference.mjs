/**
 * Writes docs/reference from the contract: one page per group, and one each for shapes, errors,
 * permissions and field kinds. Also writes the figures of bench/results.json, if there are any,
 * into the README and docs/performance.md.
 * Run: node --conditions=quire-source scripts/generate-reference.mjs [--check]
 * With --check it writes nothing, names the pages that are out of date and exits with 1 if there
 * are any.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { errorsPage, fieldKindsPage, permissionsPage, shapesPage } from './generate-reference/catalogues.mjs'
import { withFigures } from './generate-reference/figures.mjs'
import { groupPage } from './generate-reference/group-page.mjs'
import { describeOperations } from './generate-reference/operations.mjs'
import { indexPage } from './generate-reference/index-page.mjs'

const root = dirname(import.meta.dirname)
const folder = join(root, 'docs/reference')
const measured = ['README.md', 'docs/performance.md']
const { resolve } = createRequire(join(root, 'packages/contract/package.json'))
const load = (specifier) => import(pathToFileURL(resolve(specifier)).href)

const [contract, { encodeRequest }, { openApiDocument }] = await Promise.all(
  ['@quire/contract', '@quire/contract/codec', '@quire/contract/openapi'].map(load),
)
const document = openApiDocument({ baseUrl: 'http://127.0.0.1:3000', version: '0' })
const operations = describeOperations({ contract, document, encodeRequest })

const groups = [...Map.groupBy(operations, ({ group }) => group)]
const pages = new Map([
  ['index.md', indexPage(groups)],
  ...groups.map(([group, members], index) => [
    `${fileName(group)}.md`,
    groupPage({ group, members, order: 31 + index }),
  ]),
  ['shapes.md', shapesPage(document, operations)],
  ['errors.md', errorsPage(contract, operations)],
  ['permissions.md', `${permissionsPage(contract, operations)}\n${operationsOf('permissions')}`],
  ['field-kinds.md', fieldKindsPage(document)],
])

process.exitCode = process.argv.includes('--check') ? check() : write()

/** The sections of a group's operations, for a page that also holds something else. */
function operationsOf(group) {
  const members = operations.filter((operation) => operation.group === group)
  const page = groupPage({ group, members, order: 0 })
  return page.slice(page.indexOf('\n## ') + 1)
}

function fileName(group) {
  return group.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function check() {
  const present = existsSync(folder) ? readdirSync(folder) : []
  const stale = [
    ...[...pages]
      .filter(([name, text]) => textOf(name) !== text)
      .map(([name]) => `docs/reference/${name} is not current`),
    ...present.filter((name) => !pages.has(name)).map((name) => `docs/reference/${name} is no longer made`),
  ]
  stale.push(
    ...measured.filter((path) => withResults(path) !== read(path)).map((path) => `${path} is not current`),
  )
  for (const line of stale) console.error(line)
  return stale.length === 0 ? 0 : 1
}

function withResults(path) {
  const results = existsSync(join(root, 'bench/results.json'))
    ? JSON.parse(read('bench/results.json'))
    : undefined
  return withFigures(read(path), results)
}

function read(path) {
  return readFileSync(join(root, path), 'utf8')
}

function textOf(name) {
  const file = join(folder, name)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

function write() {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of pages) writeFileSync(join(folder, name), text)
  for (const path of measured) writeFileSync(join(root, path), withResults(path))
  console.log(`docs/reference: ${pages.size} pages, ${operations.length} operations`)
  return 0
}
