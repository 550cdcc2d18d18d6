import { expect, it } from 'vitest'
import { endpoints } from '../../index.ts'
import { inLocale } from './with-locale.ts'

it('every operation on content that takes a locale is called with it', () => {
  const taking = endpoints.filter(
    ({ endpoint, group }) => 'locale' in endpoint.input.shape && group !== 'translations',
  )
  const listed = Object.entries(inLocale).flatMap(([group, names]) => names.map((name) => `${group}.${name}`))
  expect(listed.toSorted()).toEqual(taking.map(({ group, operation }) => `${group}.${operation}`).toSorted())
})
