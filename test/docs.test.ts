import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { quireCommand } from './server/quire-command.ts'
import { anchorsOf, isDoc, linksOf, readPages, root, type Page } from './docs/pages.ts'
import { programsOf, unmarkedSnippets } from './docs/snippets.ts'
import { openWorkshop, type Outcome, type Workshop } from './docs/workshop.ts'
import { manifestOf, packageNames } from './source-tree.ts'

const pages = readPages()
const byPath = new Map(pages.map((page) => [page.path, page]))
const programs = pages.flatMap(programsOf)
const runPrograms = programs.filter(({ isRun }) => isRun)

describe('the snippets of the docs', () => {
  let workshop: Workshop
  let typeErrors: readonly string[]
  let outcomes: ReadonlyMap<string, Outcome>

  beforeAll(async () => {
    workshop = openWorkshop(programs)
    ;[typeErrors, outcomes] = await Promise.all([workshop.typeErrors(), workshop.run()])
  }, 180_000)

  afterAll(() => workshop.close())

  it('are all marked as run or no-run', () => {
    const unmarked = pages.flatMap((page) => unmarkedSnippets(page).map((line) => `${page.path}:${line}`))
    expect(unmarked).toEqual([])
  })

  it('compile', () => {
    expect(typeErrors).toEqual([])
  })

  it.each(runPrograms)('of $name run and print the documented output', ({ name, printed }) => {
    expect(outcomes.get(name)).toEqual({ printed, error: null })
  })
})

describe('the pages', () => {
  it('below docs have a title, a summary and an order', () => {
    const wanting = pages.filter(
      (page) => isDoc(page) && !/^---\ntitle: .+\nsummary: .+\norder: \d+\n---\n/.test(page.text),
    )
    expect(wanting.map(({ path }) => path)).toEqual([])
  })

  it('link only to existing pages and headings', () => {
    expect(pages.flatMap((page) => brokenLinks(page).map((link) => `${page.path}: ${link}`))).toEqual([])
  })

  it('describe in the guide the values of each field kind', () => {
    const reference = byPath.get('docs/reference/field-kinds.md')?.text ?? ''
    const kinds = [...reference.matchAll(/^## (\w+)$/gm)].map(([, kind = '']) => `\`${kind}\``)
    const rows =
      byPath
        .get('docs/guide/content-types.md')
        ?.text.match(/^\| `.*/gm)
        ?.join('\n') ?? ''
    expect(kinds).toContain('`text`')
    expect(kinds.filter((kind) => !rows.includes(kind))).toEqual([])
  })

  it('of the reference are current (otherwise run scripts/generate-reference.mjs)', () => {
    const args = ['--conditions=quire-source', 'scripts/generate-reference.mjs', '--check']
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })
})

describe('the command line', () => {
  const documented = ['docs/guide/cli.md', 'docs/guide/configuration.md']
    .map((path) => byPath.get(path)?.text)
    .join('\n')

  /** The output of `quire … --help`. */
  const helpOf = (...command: readonly string[]) => {
    const args = [...quireCommand, ...command, '--help']
    return spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' }).stdout
  }
  const commands = [
    'serve',
    'worker',
    'export',
    'import',
    'upload',
    'types',
    'schema pull',
    'schema plan',
    'schema apply',
    'schema check',
    'openapi',
    'service-account create',
    'token',
    'mcp',
    'sign-in',
    'doctor',
    'backup',
    'restore',
    'migrate-store',
  ]

  it('has no command that this test does not know', () => {
    const [, listed = ''] = helpOf().split('Commands:\n')
    const names = [...listed.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name]) => name)
    const known = new Set(commands.map((command) => command.split(' ')[0]))
    expect(names.filter((name) => name !== 'help')).toEqual([...known])
  })

  it.each(commands)('has every flag and variable of quire %s documented in the guide', (command) => {
    const named = helpOf(...command.split(' ')).match(/--[a-z][a-z0-9-]+|QUIRE_[A-Z0-9_]+/g) ?? []
    expect(named).not.toEqual([])
    const missing = named.filter((name) => name !== '--help' && !documented.includes(`\`${name}\``))
    expect(missing).toEqual([])
  })
})

describe('the decisions', () => {
  const decisions = pages.filter(({ path }) => path.startsWith('docs/decisions/0'))
  const text = decisions.map((page) => page.text).join('\n')

  it('have a status, a date and their successors, and so does their index', () => {
    const front =
      /^\*\*Status:\*\* (?:proposed|accepted)\. \*\*Date:\*\* ([\d-]{10})\. \*\*Superseded:\*\* (.+)\.$/m
    const index = byPath.get('docs/decisions/index.md')?.text.replaceAll(/ +/g, ' ') ?? ''
    const wanting = decisions.filter((page) => {
      const [, date, superseded] = front.exec(page.text) ?? []
      return !index.includes(`(${basename(page.path)}) | ${date} | ${superseded} |`)
    })
    expect(wanting.map(({ path }) => path)).toEqual([])
  })

  it.each(packageNames)('explain every runtime dependency of %s', (name) => {
    const foreign = Object.keys(manifestOf(name).dependencies ?? {}).filter(
      (key) => !key.startsWith('@quire/'),
    )
    expect(foreign.filter((key) => !text.includes(`\`${key}\``))).toEqual([])
  })
})

function brokenLinks(page: Page): string[] {
  return linksOf(page)
    .filter((address) => !/^(?:https?|mailto):/.test(address))
    .filter((address) => !leadsSomewhere(page, address))
}

function leadsSomewhere(page: Page, address: string): boolean {
  const [path = '', anchor] = address.split('#')
  const target = path === '' ? page.path : normalize(join(dirname(page.path), path))
  if (!existsSync(join(root, target))) return false
  const found = byPath.get(target)
  return anchor === undefined || !found || anchorsOf(found).includes(anchor)
}
