import type { Condition, EntityWrite, Filter, QueryField, QueryValue } from '../ports/index.ts'
import { compareValues } from './compare.ts'

/** Whether a head matches a filter (see `Filter` for what each operator means). */
export function matches(head: EntityWrite, filter: Filter): boolean {
  if ('all' in filter) return filter.all.every((inner) => matches(head, inner))
  if ('any' in filter) return filter.any.some((inner) => matches(head, inner))
  if ('not' in filter) return !matches(head, filter.not)
  return meets(head, filter)
}

function meets(head: EntityWrite, condition: Condition): boolean {
  const values = valuesOf(head, condition.field).filter((value) => value !== null)
  switch (condition.op) {
    case 'eq':
      return values.includes(condition.value)
    case 'ne':
      return !values.includes(condition.value)
    case 'in':
      return values.some((value) => condition.value.includes(value))
    case 'nin':
      return !values.some((value) => condition.value.includes(value))
    case 'exists':
      return values.length > 0 === condition.value
    case 'contains':
    case 'startsWith':
      return values.some((value) => typeof value === 'string' && textMeets(value, condition))
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return values.some((value) => isOrdered(condition, value))
    default:
      return condition satisfies never
  }
}

function textMeets(text: string, { op, value }: { op: 'contains' | 'startsWith'; value: string }): boolean {
  const folded = foldAscii(text)
  return op === 'contains' ? folded.includes(foldAscii(value)) : folded.startsWith(foldAscii(value))
}

interface Ordering {
  readonly op: 'gt' | 'gte' | 'lt' | 'lte'
  readonly value: QueryValue
}

function isOrdered({ op, value: operand }: Ordering, value: QueryValue): boolean {
  if (typeof value !== typeof operand) return false
  const order = compareValues(value, operand)
  if (op === 'gt') return order > 0
  if (op === 'gte') return order >= 0
  return op === 'lt' ? order < 0 : order <= 0
}

/** The values of a field; a member has one, which may be null. */
export function valuesOf(head: EntityWrite, field: QueryField): (QueryValue | null)[] {
  if ('path' in field) return head.values.filter(({ path }) => path === field.path).map(({ value }) => value)
  return [memberOf(head, field.member)]
}

type Member = Extract<QueryField, { member: unknown }>['member']

function memberOf(head: EntityWrite, member: Member): QueryValue | null {
  if (member === 'status') return statusOf(head)
  if (member === 'published') return head.publishedVersion !== null
  if (member === 'createdBy' || member === 'updatedBy') return head[member].userName
  return head[member]
}

function statusOf({ archived, publishedVersion, version }: EntityWrite): string {
  if (archived) return 'archived'
  return publishedVersion === version ? 'published' : 'draft'
}

function foldAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
