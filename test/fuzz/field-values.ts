import type { Field, ScalarField } from '@quire/contract'
import { hostileText, longText } from './hostile.ts'
import type { Pool } from './pool.ts'
import type { Random } from './random.ts'
import { anyJson, wordOf } from './schema-values.ts'

/** Values for the custom fields of a content type: for most fields, and mostly valid. */
export function fieldValues(fields: readonly Field[], random: Random, pool: Pool): Record<string, unknown> {
  const chosen = fields.filter(() => random.chance(0.7))
  return Object.fromEntries(chosen.map((field) => [field.name, fieldValue(field, random, pool)]))
}

function fieldValue(field: Field, random: Random, pool: Pool): unknown {
  if (!field.list) return single(field, random, pool)
  return Array.from({ length: random.below(4) }, () => single(field, random, pool))
}

function single(field: Field, random: Random, pool: Pool): unknown {
  if (field.kind === 'group') return fieldValues(field.settings.fields, random, pool)
  if (field.kind === 'union') {
    const variant = random.pick(field.settings.variants)
    return { ...fieldValues(variant?.fields ?? [], random, pool), type: variant?.name }
  }
  // `abc` fits the patterns of the prepared types. Generated types have patterns and schemas that
  // hardly anything fits.
  if (field.kind === 'text' && field.settings.pattern !== undefined) return 'abc'
  if (field.kind === 'json' && field.settings.schema) return {}
  return samples[field.kind].value(random, pool)
}

// Texts can be anything: a value that fits the schema may still break the code that processes it.
const hostileShare = 0.15
// Markup is scanned the most.
const longShare = 0.02

const markups = [
  '<p>Ink</p>',
  '<b>a<i>b</b>',
  '# Title',
  '<a href="x">y</a>',
  '<p style="color:red">z</p>',
] as const

/** What the fuzz knows about a field kind, independently of the engine under test. */
interface Sample {
  /** A value that usually fits. */
  readonly value: (random: Random, pool: Pool) => unknown
  /** The kind of comparison in GraphQL; null: values cannot be compared. */
  readonly comparison: 'text' | 'number' | 'boolean' | null
  /** The selection of the value in GraphQL; empty if it has no members, or those of an item. */
  readonly selection: string
}

function sample(value: Sample['value'], comparison: Sample['comparison'], selection = ''): Sample {
  return { value, comparison, selection }
}

/** Every field kind that has no nested fields. */
export const samples: Readonly<Record<ScalarField['kind'], Sample>> = {
  text: sample((random) => (random.chance(hostileShare) ? hostileText(random) : wordOf(random)), 'text'),
  richText: sample((random) => {
    if (random.chance(longShare)) return longText(random)
    return random.chance(hostileShare) ? hostileText(random) : random.pick(markups)
  }, null),
  number: sample((random) => random.pick([random.below(100) / 4, -1.25, 1e300, 5e-324, 0.1]), 'number'),
  integer: sample((random) => random.pick([random.below(1000), -1, Number.MAX_SAFE_INTEGER]), 'number'),
  boolean: sample((random) => random.chance(0.5), 'boolean'),
  date: sample((random) => random.pick(['2024-02-29', '1999-12-31', '0001-01-01', '9999-12-31']), 'text'),
  datetime: sample((random) => random.pick([0, 1_790_000_000_000, -1, 8_640_000_000_000_000]), 'number'),
  reference: sample(itemId, 'text'),
  asset: sample(itemId, 'text'),
  category: sample(
    (random, pool) => pool.categories.pick(random)?.id,
    'text',
    '{ id name taxonomyId taxonomyName }',
  ),
  url: sample(
    (random) => random.pick(['https://example.org/a?b=c#d', 'http://[::1]:1/', 'https://exämple.org']),
    'text',
  ),
  email: sample((random) => `user${random.below(1000)}@example.org`, 'text'),
  slug: sample((random) => `slug-${random.below(1000)}`, 'text'),
  color: sample((random) => random.pick(['#abc', '#A1B2C3', '#a1b2c3d4']), 'text'),
  geo: sample(
    (random) =>
      random.pick([
        { lat: 90, lng: -180 },
        { lat: 0, lng: 0 },
        { lat: 12.5, lng: 7e-7 },
      ]),
    null,
    '{ lat lng }',
  ),
  json: sample(anyJson, null),
}

function itemId(random: Random, pool: Pool): string {
  return pool.items.pick(random)?.id ?? 'CONT_01JB2Q4YQ6S0M5W8V9TZ3XKD7E'
}
