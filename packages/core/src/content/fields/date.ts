import { bounded, graphType, mergedByValue, reject, accept, plain, type FieldRules } from './rules.ts'

/** A field that holds a day as YYYY-MM-DD. Sorting the texts sorts the days by time. */
export const date: FieldRules<'date'> = {
  ...plain,
  check(value, { min = '', max = '9999-12-31' }) {
    if (typeof value !== 'string' || !isDay(value)) return reject('must be a day, YYYY-MM-DD')
    return value >= min && value <= max ? accept(value) : reject(`must be a day from ${min} to ${max}`)
  },
  comparison: 'text',
  canBeUnique: true,
  searchText: null,
  isProse: false,
  merge: mergedByValue,
  narrowing: bounded,
  graphql: graphType('String'),
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}
