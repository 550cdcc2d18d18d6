import { numeric, within, graphType, reject, type FieldRules } from './rules.ts'

/** A field that holds a point in time, in Unix milliseconds. */
export const datetime: FieldRules<'datetime'> = {
  ...numeric,
  check: (value, bounds) =>
    Number.isSafeInteger(value) ? within(Number(value), bounds) : reject('must be Unix milliseconds'),
  convert: (value) =>
    typeof value === 'string' && isoTime.test(value) ? Date.parse(value) : numeric.convert(value),
  graphql: graphType('Timestamp'),
}

/** A day, or a time with its zone: without one it would mean another time on each machine. */
const isoTime = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/
