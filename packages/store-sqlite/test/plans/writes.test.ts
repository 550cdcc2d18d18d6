import { anEntity } from '@quire/testkit'
import { expect, it } from 'vitest'
import { openRecorded } from './recorded-store.ts'

it('only writes with large values run statements about them', async () => {
  const store = await openRecorded()
  const aboutValues = () => store.takeTexts().filter((text) => text.includes('large_values'))
  const put = (id: string, length: number) =>
    store.write((tx) => tx.entities.put(anEntity({ id, body: { text: 'x'.repeat(length) } }), 0))
  store.takeTexts()
  await put('CONT_1', 3_000)
  expect(aboutValues()).toEqual([])
  await put('CONT_2', 9_000)
  expect(aboutValues()).toHaveLength(2)
  await put('CONT_3', 9_000)
  expect(aboutValues()).toHaveLength(1)
})
