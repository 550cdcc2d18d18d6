import { permissionKeysOf, type Permission } from '@quire/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from './ask.ts'
import {
  again,
  allCells,
  cellOf,
  isDone,
  named,
  namesIn,
  standInsForHidden,
  standInsForMade,
  statusesOf,
  reporting,
  type Cell,
} from './cells.ts'
import { principalNames, type PrincipalName } from './principals.ts'
import { rows, type Row } from './rows.ts'
import { openSite, type Site } from './site.ts'
import { replaced, standInFor } from './stand-ins.ts'
import { differences, readTable, writeTable } from './table.ts'

let site: Site
let cells: readonly Cell[]
beforeAll(async () => {
  site = await openSite()
  cells = await allCells(site)
}, 180_000)
afterAll(() => site.close())

function of(...names: PrincipalName[]): readonly Cell[] {
  return cells.filter(({ caller }) => names.includes(caller.name))
}

function isFor(permission: Permission): (row: Pick<Row, 'endpoint'>) => boolean {
  return ({ endpoint }) => endpoint.permission === permission
}

/**
 * Engines authenticate with their own key, which no principal has. So this request is always
 * anonymous.
 */
function isOfEngine({ row }: Cell): boolean {
  return row.operation === 'workflow.status'
}

it('permissions match the table', () => {
  const seen = statusesOf(cells)
  if (process.env['UPDATE_MATRIX'] === '1') writeTable(seen)
  expect(differences(readTable(), seen)).toEqual([])
  expect(cells.length).toBe(seen.size * principalNames.length)
})

it('no request fails with 5xx, and every input is valid for the administrator', () => {
  expect(named(cells.filter(({ status }) => status >= 500))).toEqual([])
  const signIns = new Set(['auth.login', 'auth.callback', 'user.visit', 'repositories.delete'])
  const others = of('admin').filter(
    (cell) =>
      !signIns.has(cell.row.operation) && !cell.row.name.endsWith('(of another)') && !isOfEngine(cell),
  )
  expect(named(others.filter((cell) => !isDone(cell)))).toEqual([])
})

it('refused requests have no effect', () => {
  expect(named(cells.filter((cell) => !isDone(cell) && cell.wrote))).toEqual([])
  const written = cells.filter(({ wrote }) => wrote)
  expect(written.length).toBeGreaterThan(100)
  expect(named(written.filter(({ row }) => row.endpoint.method === 'GET'))).toEqual([])
})

it('HEAD answers with the status of GET', async () => {
  const gets = cells.filter(({ row }) => row.endpoint.method === 'GET')
  const differing: Cell[] = []
  for (const cell of gets) {
    const { row, caller, input } = cell
    const { status } = await ask(site.address, { ...row, input, token: caller.token, method: 'HEAD' })
    if (status !== cell.status) differing.push(cell)
  }
  expect(named(differing)).toEqual([])
})

describe('an anonymous caller', () => {
  it('may use public operations, and nothing else', () => {
    const isOpen = ({ row }: Cell) =>
      isFor('public')(row) || (isFor('published')(row) && row.repository === 'gazette')
    const anonymous = of('anonymous')
    expect(named(anonymous.filter((cell) => !isOpen(cell) && cell.status !== 401))).toEqual([])
    const isRefused = (cell: Cell) => cell.status === 401 && !isOfEngine(cell)
    expect(named(anonymous.filter((cell) => isOpen(cell) && isRefused(cell)))).toEqual([])
  })

  it('reads published content of a public repository, and nothing else', async () => {
    const caller = { name: 'anonymous', principal: null, token: null } as const
    const inPublic: Cell[] = []
    for (const row of rows.filter((row) => !isFor('public')(row) && !isFor('published')(row)))
      inPublic.push(await cellOf(site, { ...row, repository: 'gazette' }, caller))
    expect(inPublic.length).toBeGreaterThan(100)
    expect(named(inPublic.filter(({ status }) => status !== 401))).toEqual([])
  })
})

describe('an account without a role', () => {
  it('may only use operations that any token allows', () => {
    const isOpen = ({ row }: Cell) =>
      isFor('public')(row) ||
      isFor('authenticated')(row) ||
      (isFor('published')(row) && row.repository === 'gazette')
    expect(named(of('noRole').filter((cell) => isDone(cell) && !isOpen(cell)))).toEqual([])
  })
})

describe('the administrator of another repository', () => {
  it('changes nothing in this one', () => {
    const namesThis = namesIn(site, 'magazine')
    expect(named(of('otherRepository').filter((cell) => isDone(cell) && namesThis(cell)))).toEqual([])
  })

  it('reads nothing in it', () => {
    const { magazine } = site.repositories
    const isReportedOf = ({ whole, input }: Cell) =>
      whole.includes(magazine) && !JSON.stringify(input).includes(magazine)
    expect(named(of('otherRepository').filter(isReportedOf))).toEqual([])
  })

  it('changes nothing in it through the other repository', async () => {
    const { magazine, archive } = site.repositories
    const move = new Map([[magazine, archive]])
    const about = of('otherRepository').filter(({ row, made, input }) => {
      const text = JSON.stringify(input)
      return (
        row.repository === 'magazine' &&
        text.includes(magazine) &&
        [...made].some((name) => text.includes(name))
      )
    })
    const moved: Cell[] = []
    for (const cell of about) {
      const input = replaced(cell.input, move)
      moved.push({ ...cell, ...(await again(site, cell, input)), input })
    }
    expect(moved.length).toBeGreaterThan(50)
    expect(named(moved.filter(isDone))).toEqual([])
    expect(named(await reporting(site, moved, standInsForMade))).toEqual([])
  })
})

describe('a caller without read access', () => {
  it.each(['anonymous', 'noRole', 'otherRepository'] as const)(
    'cannot distinguish a repository from a missing one: %s',
    async (name) => {
      const { magazine } = site.repositories
      const about = of(name).filter(namesIn(site, 'magazine'))
      const exchange = (cell: Cell) => new Map([...standInsForMade(cell), [magazine, standInFor(magazine)]])
      expect(about.length).toBeGreaterThan(50)
      expect(named(await reporting(site, about, exchange))).toEqual([])
    },
  )

  it('cannot distinguish the name of a repository from an unused name', async () => {
    const { magazine } = site.repositories
    const about = of('otherRepository').filter(namesIn(site, 'magazine'))
    const byName = about.map((cell) => ({
      ...cell,
      input: replaced(cell.input, new Map([[magazine, 'magazine']])),
    }))
    const asked: Cell[] = []
    for (const cell of byName) asked.push({ ...cell, ...(await again(site, cell, cell.input)) })
    expect(named(asked.filter(isDone))).toEqual([])
    const exchange = (cell: Cell) => new Map([...standInsForMade(cell), ['magazine', standInFor('magazine')]])
    expect(named(await reporting(site, asked, exchange))).toEqual([])
  })

  it('cannot distinguish an entity from a missing one, as any principal', async () => {
    const hidden = cells.filter(({ status, hideable }) => status === 404 && hideable.size > 0)
    expect(hidden.length).toBeGreaterThan(200)
    expect(named(await reporting(site, hidden, standInsForHidden))).toEqual([])
  })
})

describe('an account with every permission in packages only', () => {
  const statusOf = (name: PrincipalName) => new Map(of(name).map(({ row, status }) => [row.name, status]))

  it('is answered the same whether its role or the account itself is branchOnly', () => {
    expect(statusOf('branchOnlyAccount')).toEqual(statusOf('branchOnly'))
  })

  it('can change in a package whatever an administrator can change there', () => {
    const [all, mine] = [statusOf('admin'), statusOf('branchOnly')]
    const onPackages = rows.filter(({ onPackage }) => onPackage)
    expect(onPackages.length).toBeGreaterThan(40)
    const others = onPackages.filter(({ name }) => mine.get(name) !== all.get(name))
    // Its token would be one for somebody else.
    expect(others.map(({ operation }) => operation)).toEqual(['items.preview'])
  })

  it('cannot make any of these changes on main', () => {
    const changes = new Set(
      of('branchOnly')
        .filter((cell) => cell.row.onPackage && cell.wrote)
        // Its input names a package, whatever the path.
        .filter(({ row }) => row.operation !== 'translations.import')
        .map(({ row }) => row.operation),
    )
    const onMain = of('branchOnly').filter(({ row }) => !row.onPackage && changes.has(row.operation))
    expect(onMain.length).toBeGreaterThan(30)
    expect(named(onMain.filter(({ status }) => status !== 403))).toEqual([])
  })

  it('changes nothing else except its own session and packages', () => {
    const written = of('branchOnly').filter(({ row, wrote }) => wrote && !row.onPackage)
    const operations = new Set(written.map(({ row }) => row.operation))
    expect([...operations].toSorted()).toEqual([
      'auth.openSession',
      'autoPackage.createAndSave',
      'packages.addComment',
      'packages.addItem',
      'packages.create',
      'packages.update',
      'packages.updateComment',
      'translations.import',
      'workflow.event',
    ])
  })
})

describe('an account that reads everything, and changes and publishes in one locale', () => {
  it('may call what can be limited to locales, and otherwise only what a reader may', () => {
    const allowed = (name: PrincipalName) =>
      new Set(
        of(name)
          .filter(isDone)
          .map(({ row }) => row.operation),
      )
    const [more, less] = [allowed('localeLimited'), allowed('view')]
    expect([...more].filter((name) => !less.has(name)).toSorted()).toEqual([
      'items.importRows',
      'items.restore',
      'translations.confirm',
      'translations.import',
    ])
  })
})

describe('an item that is limited to a role', () => {
  // The URL of a file to fetch names no item.
  const isOfItem = ({ row, input }: Cell) =>
    /^(items|assets|renditions|published)\./.test(row.operation) &&
    row.operation !== 'assets.createFromUrl' &&
    /"(id|slug|assetId|ids|url)":/.test(JSON.stringify(input))

  it('is not found by an account with every permission but without the role', () => {
    const about = of('itemLimited').filter(isOfItem)
    expect(about.length).toBeGreaterThan(50)
    expect(named(about.filter(({ status }) => status !== 404))).toEqual([])
  })

  it('is revealed to that account by no other operation, but visible to others', () => {
    const serializes = ({ hideable, whole, input, row }: Cell) => {
      // Its report names the items that the file of the caller names.
      if (row.operation === 'translations.import') return false
      const sent = JSON.stringify(input)
      return [...hideable].some((text) => whole.includes(text) && !sent.includes(text))
    }
    expect(named(of('itemLimited').filter(serializes))).toEqual([])
    const lists = [
      'items.list',
      'published.items',
      'packages.changes',
      'packages.diff',
      'references.items',
      'dependencies.get',
      'activity.list',
      'events.stream',
      'queries.run',
      'queries.runSaved',
    ]
    const visible = of('view', 'admin').filter(serializes)
    expect(visible.map(({ row }) => row.operation)).toEqual(expect.arrayContaining(lists))
  })

  it('can be read but not changed by an account that only lacks the role for writing', () => {
    const about = of('writeLimited').filter(isOfItem)
    const isRead = ({ row }: Cell) => {
      const { permission } = row.endpoint
      const keys = permissionKeysOf(permission)
      return (
        permission === 'published' ||
        keys.some((key) => key.endsWith('read')) ||
        row.operation === 'assets.zip'
      )
    }
    expect(named(about.filter((cell) => isRead(cell) !== isDone(cell)))).toEqual([])
  })
})
