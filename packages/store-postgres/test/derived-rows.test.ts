import type { Edge, EntityWrite } from '@quire/core/ports'
import { anEntity, indexed } from '@quire/testkit'
import { afterEach, beforeEach, expect, describe, it } from 'vitest'
import { asAdministrator, location, openTestStore, testDatabase } from '../../../test/services/postgres.ts'

const edge = (targetId: string, onDelete: Edge['onDelete'] = 'ignore') => ({
  path: 'related',
  targetId,
  onDelete,
})

const first = anEntity({
  id: 'CONT_1',
  values: indexed({ title: 'Ink', pages: 3, tags: ['a', '\0'] }),
  edges: [edge('CONT_2'), edge('CONT_3'), edge('CONT_4')],
  roles: { read: ['ROLE_1', 'ROLE_2'], write: [], delete: [] },
})

describe.skipIf(testDatabase === null)(`rows derived from a head, PostgreSQL ${location}`, () => {
  let opened: Awaited<ReturnType<typeof openTestStore>>
  beforeEach(async () => {
    opened = await openTestStore()
    await put(first)
  })
  afterEach(() => opened.dispose())

  const put = (entity: EntityWrite) =>
    opened.store.transaction((tx) => tx.entities.put(entity, entity.revision - 1))

  /** The rows of a table, each with the transaction that wrote it. */
  const rowsOf = (table: string, columns: string) =>
    asAdministrator(async (client) => {
      const text = `SELECT ${columns}, xmin::text FROM ${opened.schema}.${table} ORDER BY 1`
      const { rows } = await client.query<string[]>({ text, rowMode: 'array' })
      return new Map(rows.map(([key, writer]) => [key, writer]))
    })
  const values = () => rowsOf('field_values', "path || '=' || value")
  const edges = () => rowsOf('edges', "target_id || ' ' || on_delete")
  const roles = () => rowsOf('head_roles', 'role')

  it('stay as they are when only the state changes', async () => {
    const before = [await values(), await edges(), await roles()]
    await put({ ...first, revision: 2, publishedVersion: 1 })
    expect([await values(), await edges(), await roles()]).toEqual(before)
    expect(before.map(({ size }) => size)).toEqual([4, 3, 2])
  })

  it('are written again where a save changed them', async () => {
    const [edgesBefore, rolesBefore] = [await edges(), await roles()]
    const changed = [edge('CONT_2'), edge('CONT_3', 'restrict'), edge('CONT_5')]
    const role = { ...first.roles, read: ['ROLE_2', 'ROLE_3'] }
    await put({
      ...first,
      revision: 2,
      version: 2,
      updatedDate: first.updatedDate + 1,
      edges: changed,
      roles: role,
    })
    const [edgesAfter, rolesAfter] = [await edges(), await roles()]
    expect([...edgesAfter.keys()]).toEqual(['CONT_2 ignore', 'CONT_3 restrict', 'CONT_5 ignore'])
    expect(edgesAfter.get('CONT_2 ignore')).toBe(edgesBefore.get('CONT_2 ignore'))
    expect([...rolesAfter.keys()]).toEqual(['ROLE_2', 'ROLE_3'])
    expect(rolesAfter.get('ROLE_2')).toBe(rolesBefore.get('ROLE_2'))
  })

  it('follow a change of state that lists by a value look at', async () => {
    const before = await values()
    await put({ ...first, revision: 2, archived: true, values: indexed({ title: 'Ink', pages: 4 }) })
    const after = await values()
    expect([...after.keys()].map((key) => key?.split('=')[0])).toEqual(['pages', 'title'])
    for (const [key, writer] of after) expect(writer).not.toBe(before.get(key))
    await put({ ...first, revision: 3, archived: true, values: indexed({ title: 'Ink', pages: 5 }) })
    const later = await values()
    const title = [...later.keys()].find((key) => key?.startsWith('title'))
    expect(later.get(title)).toBe(after.get(title))
    expect(later.size).toBe(2)
  })
})
