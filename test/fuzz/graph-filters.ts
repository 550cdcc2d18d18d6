import type { Field } from '@quire/contract'
import { samples } from './field-values.ts'
import { hostileText } from './hostile.ts'
import type { KnownType } from './pool.ts'
import type { Random } from './random.ts'
import { wordOf } from './schema-values.ts'

const members = [
  ['name', 'text'],
  ['slug', 'text'],
  ['status', 'text'],
  ['updatedDate', 'number'],
] as const

/**
 * The names that a type can be filtered and sorted by. Fields in groups are joined with an
 * underscore.
 */
function comparedNames(fields: readonly Field[], prefix = ''): (readonly [string, string])[] {
  return fields.flatMap((field) => {
    const name = `${prefix}${field.name}`
    if (field.kind === 'group') return comparedNames(field.settings.fields, `${name}_`)
    const comparison = field.kind === 'union' ? null : samples[field.kind].comparison
    return comparison ? [[name, comparison] as const] : []
  })
}

function comparedOf({ fields }: KnownType, random: Random): readonly [string, string] {
  return random.pick([...members, ...comparedNames(fields)]) ?? ['name', 'text']
}

/** The argument `sort`: some sort orders of a type. */
export function sortOf(type: KnownType, random: Random): string {
  const keys = Array.from(
    { length: 1 + random.below(3) },
    () => `${comparedOf(type, random)[0]}_${random.chance(0.5) ? 'ASC' : 'DESC'}`,
  )
  return `[${keys.join(', ')}]`
}

/** The argument `filter`: conditions side by side and in `and`, `or` and `not`. */
export function filterOf(type: KnownType, random: Random, depth = 0): object {
  const inner = () => filterOf(type, random, depth + 1)
  if (depth < 3 && random.chance(0.15)) return { [random.pick(['and', 'or'])]: [inner(), inner()] }
  if (depth < 3 && random.chance(0.1)) return { not: inner() }
  const [name, comparison] = comparedOf(type, random)
  if (random.chance(0.1)) return { [name]: random.pick([null, {}, { exists: random.chance(0.5) }]) }
  const operators = comparison === 'boolean' ? ['eq', 'ne'] : ['eq', 'ne', 'gt', 'gte', 'lt', 'lte']
  const texts = comparison === 'text' ? ['contains', 'startsWith'] : []
  if (random.chance(0.2))
    return {
      [name]: { [random.pick(['in', 'nin'])]: [operand(comparison, random), operand(comparison, random)] },
    }
  return { [name]: { [random.pick([...operators, ...texts]) ?? 'eq']: operand(comparison, random) } }
}

function operand(comparison: string, random: Random): unknown {
  if (comparison === 'boolean') return random.chance(0.5)
  if (comparison === 'number') return random.pick([random.below(1000), -1, 0.5, 1e300, 1_790_000_000_000])
  return random.chance(0.15) ? hostileText(random).slice(0, 1500) : random.pick([wordOf(random), 'draft', ''])
}
