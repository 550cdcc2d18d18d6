import { describe, expect, it } from 'vitest'
import { createBranchTable } from '../branches.ts'
import { JSON_WIDTH, type HeadRow, createHeadDecoder, jsonColumns } from './head-row.ts'
import { sqliteDialect } from '../sqlite/dialect.ts'

const ada = '{"userName":"ada","displayName":"Ada","email":"ada@example.com"}'
const row = (body: string): HeadRow => [
  ...([1, 'item', 'CONT_1', 'article', 'One', 'one', null, 2, 3, null, null, null, null, 1, 0, 0] as const),
  ...([null, 10, 20, null, ada, ada, '', null, body, '{"id":"CONT_1"}'] as const),
]
const branches = createBranchTable()
branches.add(1, { repositoryId: 'REPO_1', packageId: null })

describe('a decoded head', () => {
  it('parses its body on first access, and only once', () => {
    const { entity } = createHeadDecoder()
    expect(entity(branches, row('not JSON')).json).toBe('{"id":"CONT_1"}')
    expect(() => entity(branches, row('not JSON')).body).toThrow(SyntaxError)
    const parsed = entity(branches, row('{"text":"x"}'))
    expect(parsed.body).toEqual({ text: 'x' })
    expect(parsed.body).toBe(parsed.body)
  })

  it('is a plain object whose copies are complete', () => {
    const { entity } = createHeadDecoder()
    const copy = { ...entity(branches, row('{"text":"x"}')), name: 'Two' }
    expect(copy).toMatchObject({ repositoryId: 'REPO_1', name: 'Two', body: { text: 'x' }, archived: false })
  })

  it('shares one frozen object per person', () => {
    const { createdBy, updatedBy } = createHeadDecoder().entity(branches, row('{}'))
    expect(createdBy).toBe(updatedBy)
    expect(Object.isFrozen(createdBy)).toBe(true)
  })

  it('has as many columns as JSON_WIDTH says', () => {
    expect(jsonColumns(sqliteDialect.tables)).toHaveLength(JSON_WIDTH)
  })
})
