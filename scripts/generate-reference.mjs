/**
 * Writes docs/reference from the contract, one page for each group and one each for shapes, errors, permissions and field kinds;
 * and into the README the figures of bench/results.json, when there are any.
 * Run: node --conditions=quire-source scripts/generate-reference.mjs [--check]
 * With --check it writes nothing, names the pages that are not current and exits with 1.
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
const readme = join(root, 'README.md')
const { resolve } = createRequire(join(root, 'packages/contract/package.json'))
const load = (specifier) => import(pathToFileURL(resolve(specifier)).href)

const [contract, { encodeRequest }, { openApiDocument }] = await Promise.all(
  ['@quire/contract', '@quire/contract/tus', '@quire/contract/openapi'].map(load),
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
  ['permissions.md', permissionsPage(contract, operations)],
  ['field-kinds.md', fieldKindsPage(document)],
])

process.exitCode = process.argv.includes('--check') ? check() : write()

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
  if (currentReadme() !== readFileSync(readme, 'utf8')) stale.push('README.md is not current')
  for (const line of stale) console.error(line)
  return stale.length === 0 ? 0 : 1
}

function currentReadme() {
  const file = join(root, 'bench/results.json')
  const results = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
  return withFigures(readFileSync(readme, 'utf8'), results)
}

function textOf(name) {
  const file = join(folder, name)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

function write() {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of pages) writeFileSync(join(folder, name), text)
  writeFileSync(readme, currentReadme())
  console.log(`docs/reference: ${pages.size} pages, ${operations.length} operations`)
  return 0
}
