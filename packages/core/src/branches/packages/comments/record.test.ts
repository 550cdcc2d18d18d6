import { limits } from '@quire/contract'
import { expect, it } from 'vitest'
import { createMemoryStore } from '../../../memory/index.ts'
import { readComments, writeComments, type StoredComment } from './record.ts'

const author = { userName: 'ada@example.org', displayName: 'Ada', email: 'ada@example.org' }

const aComment = (id: number): StoredComment => ({
  id: `CMNT_${id}`,
  body: 'x',
  about: null,
  parentId: null,
  decision: null,
  state: 'open',
  createdDate: 1,
  createdByUser: author,
  owner: 'user:ada@example.org:1',
  updatedDate: 1,
  resolvedDate: null,
  resolvedByUser: null,
})

it('a package has at most so many comments, and the error says what to do', async () => {
  const store = createMemoryStore()
  const comments = Array.from({ length: limits.packageComments }, (_, id) => aComment(id))
  await store.transaction((tx) => writeComments(tx, 'PACK_1', comments))
  expect(await readComments(store, 'PACK_1')).toEqual(comments)
  const more = store.transaction((tx) => writeComments(tx, 'PACK_1', [...comments, aComment(1000)]))
  await expect(more).rejects.toMatchObject({
    code: 'invalid_state',
    message: expect.stringMatching(/Merge it/),
  })
  expect(await readComments(store, 'PACK_2')).toEqual([])
})
