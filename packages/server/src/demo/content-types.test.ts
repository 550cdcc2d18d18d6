import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { contentTypesText } from '@quire/contract/typescript'
import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { expect, it } from 'vitest'
import { demoTypes } from './content-types.ts'

const example = join(import.meta.dirname, '../../../../examples/http-client/src/generated/content-types.ts')

it('match the generated types in examples/http-client: otherwise run quire types there', async () => {
  const quire = createQuire({ store: createMemoryStore() })
  const api = quire.as(systemIdentity('test'))
  for (const type of demoTypes) await api.types.create(type)
  const { items: types } = await api.types.list()
  await quire.close()
  expect(readFileSync(example, 'utf8')).toBe(
    contentTypesText({ types, hasLocales: true, madeBy: 'quire types --repository magazine' }),
  )
})
