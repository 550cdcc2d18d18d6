import { expect, it } from 'vitest'
import { systemIdentity } from '../../engine/access/identity.ts'
import { createMemoryStore } from '../../memory/index.ts'
import { createQuire } from '../../quire.ts'

it('returns null for an unset field with the name of an inherited member', async () => {
  const api = createQuire({ store: createMemoryStore() }).as(systemIdentity('test'))
  await api.repositories.create({ name: 'magazine' })
  await api.types.create({
    name: 'author',
    fields: [
      { name: 'toString', kind: 'text' },
      { name: 'valueOf', kind: 'group', settings: { fields: [{ name: 'hasOwnProperty', kind: 'number' }] } },
    ],
  })
  const create =
    'mutation ($input: Author_Input!) { createAuthor(input: $input) { toString valueOf { hasOwnProperty } } }'
  const variables = { input: { name: 'Ada', fields: {} } }
  expect(await api.graphql.execute({ configId: 'magazine', query: create, variables })).toEqual({
    data: { createAuthor: { toString: null, valueOf: null } },
  })

  const query = '{ authors { items { toString valueOf { hasOwnProperty } } } }'
  expect(await api.graphql.execute({ configId: 'magazine', query })).toEqual({
    data: { authors: { items: [{ toString: null, valueOf: null }] } },
  })
})
