import type { EntityWrite, QueryValue } from '@quire/core/ports'
import { testStart } from '@quire/core/memory'
import { anEntity, indexed } from '../entity.ts'
import { aPerson } from '../people.ts'

/**
 * Texts in the order of their code points, which differs from every locale's collation and from
 * UTF-16.
 */
export const textsInOrder: readonly string[] = [
  '',
  ' ',
  '!',
  '%',
  '10',
  '9',
  'A',
  'Z',
  '\\',
  '_',
  'a',
  'aa',
  'ab',
  'b',
  'z',
  'Ä',
  'ß',
  'é',
  'Б',
  '日',
  '\u{E000}',
  '\u{FFFD}',
  '\u{10400}',
  '😀',
  '😁',
]

/** Numbers in ascending order, up to the extremes of a double. */
export const numbersInOrder: readonly number[] = [
  -Number.MAX_VALUE,
  -1e21,
  Number.MIN_SAFE_INTEGER,
  -4_294_967_297,
  -10,
  -9,
  -1.5,
  -1,
  -1e-9,
  0,
  1e-9,
  0.1,
  0.30000000000000004,
  1,
  1.5,
  2,
  10,
  4_294_967_297,
  1_750_000_000_000,
  Number.MAX_SAFE_INTEGER,
  1e21,
  Number.MAX_VALUE,
]

/**
 * One entity for each value of the path `field`. The order of their ids is not the order of the
 * values.
 */
export function entitiesWith(values: readonly (QueryValue | null)[]): readonly EntityWrite[] {
  return values.map((value, index) =>
    anEntity({
      id: `CONT_${String((index * 7919) % 1000).padStart(3, '0')}`,
      values: indexed({ field: value, other: 'same' }),
    }),
  )
}

/** Entities that differ in every member, with repetitions and absent values. */
export function mixedEntities(count: number): readonly EntityWrite[] {
  return Array.from({ length: count }, (_, index) => {
    const pick = <T>(values: readonly [T, ...T[]], salt: number): T =>
      values[(index * salt + 3) % values.length] ?? values[0]
    const publishedVersion = pick([null, 1, 2], 2)
    return anEntity({
      id: `CONT_${String((index * 37) % 1009).padStart(4, '0')}`,
      type: pick(['article', 'page', 'Zine'], 5),
      name: pick(['Beta', 'alpha', '', 'Ä', '😀', '\u{FFFD}'], 7),
      slug: index % 4 === 0 ? null : `slug-${(index * 13) % 101}`,
      parentId: pick([null, 'FOLD_A', 'FOLD_b'], 11),
      version: pick([1, 2, 10], 1),
      archived: index % 5 === 0,
      publishedVersion,
      publishedDate: publishedVersion === null ? null : testStart + pick([5, 50, 500], 4),
      createdDate: testStart + pick([0, 9, 10], 2),
      updatedDate: testStart + pick([1, 2, 3], 5),
      createdBy: aPerson(pick(['ada', 'Ben'], 3)),
      updatedBy: aPerson(pick(['cy', 'ada'], 1)),
      values: indexed({ price: pick([null, 1, -1, 0.5, 10], 3), flag: pick([true, false, null], 1) }),
    })
  })
}
