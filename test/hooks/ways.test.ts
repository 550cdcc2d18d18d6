import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type HookKind, type KindHooks } from '@quire/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cellOf } from '../access/cells.ts'
import { rows } from '../access/rows.ts'
import { openSite, type Site } from '../access/site.ts'

/** The operations for which hooks ran, each in a call of its own by an administrator. */
const seen = { before: new Set<string>(), check: new Set<string>() }
let operation = ''
let site: Site

/** Only requests of the matrix have this id: what prepares them is not counted. */
const isCounted = (requestId: string) => requestId === 'matrix'

function noting(): KindHooks<HookKind> {
  return {
    before({ requestId }) {
      if (isCounted(requestId)) seen.before.add(operation)
      return undefined
    },
    check({ requestId }) {
      if (isCounted(requestId)) seen.check.add(operation)
    },
  }
}

const kinds: readonly HookKind[] = ['item', 'folder', 'taxonomy', 'category', 'site', 'section', 'page']

beforeAll(async () => {
  site = await openSite(Object.fromEntries(kinds.map((kind) => [kind, noting()])))
  const admin = site.principals.find(({ name }) => name === 'admin')
  if (!admin) throw new Error('The site has no administrator.')
  for (const row of rows) {
    operation = row.operation
    await cellOf(site, row, admin)
  }
}, 120_000)
afterAll(() => site.close())

/** The operations in a column of the guide's table of ways to save. */
function documented(column: 'before' | 'check'): readonly string[] {
  const page = readFileSync(fileURLToPath(new URL('../../docs/guide/hooks.md', import.meta.url)), 'utf8')
  const [, table = ''] = page.split('| operations')
  const ways = table.split('\n\n')[0]?.split('\n').slice(2) ?? []
  return ways.flatMap((way) => {
    const [, operations = '', before = '', check = ''] = way.split('|')
    const isMarked = (column === 'before' ? before : check).trim() === 'yes'
    return isMarked ? [...operations.matchAll(/`(\w+\.\w+)`/g)].map(([, name = '']) => name) : []
  })
}

/** Operations that save only by some inputs, other than those of the matrix: tested beside this file. */
const byOtherInputs = {
  before: ['graphql.execute', 'uploads.create', 'translations.import', 'ai.task'],
  check: [
    'ai.task',
    'graphql.execute',
    'repositories.import',
    'uploads.create',
    'types.update',
    'workflow.event',
    'workflow.status',
  ],
}

it.each(['before', 'check'] as const)('the guide lists every operation that runs the hook %s', (hook) => {
  const listed = documented(hook)
  expect([...seen[hook]].filter((name) => !listed.includes(name)).toSorted()).toEqual([])
  const unseen = listed.filter((name) => !seen[hook].has(name) && !byOtherInputs[hook].includes(name))
  expect(unseen).toEqual([])
  expect(listed.length).toBeGreaterThan(15)
})
