import { Field, type FieldKind, fieldKinds } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../ports/index.ts'
import { rulesOf } from './index.ts'

/** Valid values of each kind, as they are stored. */
const samples: { readonly [K in FieldKind]: readonly Json[] } = {
  text: ['', 'Ink', 'İstanbul'],
  richText: ['<p>Ink &amp; <b>galls</b></p>'],
  number: [0, -1.5, 4e9],
  integer: [0, 12, 2 ** 40],
  boolean: [true, false],
  date: ['2026-01-31'],
  datetime: [0, 1_780_000_000_000],
  reference: ['CONT_01ARZ3NDEKTSV4RRFFQ69G5FAV'],
  asset: ['CONT_01ARZ3NDEKTSV4RRFFQ69G5FAW'],
  category: ['CATG_01ARZ3NDEKTSV4RRFFQ69G5FAV'],
  url: ['https://example.org/a?b=c'],
  email: ['Ada@Example.org'],
  slug: ['on-ink'],
  color: ['#1A2b3c'],
  geo: [{ lat: 1.5, lng: -2 }],
  json: [{ any: [1, 'two', null] }],
  group: [{}],
  union: [{ type: 'quote' }],
}

const settings: { readonly [K in FieldKind]?: object } = {
  group: { fields: [] },
  union: { variants: [{ name: 'quote', fields: [] }] },
}

function fieldOf(kind: FieldKind): Field {
  return Field.parse({ name: 'it', kind, settings: settings[kind] })
}

const comparing = fieldKinds.filter((kind) => rulesOf(fieldOf(kind)).comparison !== null)
const others = fieldKinds.filter((kind) => !comparing.includes(kind))

describe.each(fieldKinds)('a field of the kind %s', (kind) => {
  it.each(samples[kind])('accepts %j, and stores it unchanged once it is stored', async (sample) => {
    const first = await check(sample)
    if (!('value' in first)) throw new Error(first.problem)
    expect(await check(first.value)).toMatchObject({ value: first.value })
  })

  function check(value: Json) {
    const field = fieldOf(kind)
    return rulesOf(field).check(value, field.settings, async (_fields, values) => ({ values, issues: [] }))
  }
})

describe.each(comparing)('a field of the kind %s', (kind) => {
  it.each(samples[kind])('compares %j by a key of the type that it declares', (sample) => {
    const { comparison, compareBy } = rulesOf(fieldOf(kind))
    const compared = compareBy(sample)
    expect(typeof compared).toBe(comparison === 'text' ? 'string' : comparison)
    expect(compareBy(compared)).toEqual(compared)
  })
})

it.each(others)('a field of the kind %s cannot be unique, because it does not compare', (kind) => {
  expect(rulesOf(fieldOf(kind)).canBeUnique).toBe(false)
})
