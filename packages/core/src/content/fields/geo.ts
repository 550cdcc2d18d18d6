import { isJsonObject, type Json } from '../../ports/index.ts'
import { graphType, mergedAsWhole, reject, accept, plain, type FieldRules } from './rules.ts'

/** A field that holds a point on Earth, in degrees. */
export const geo: FieldRules<'geo'> = {
  ...plain,
  check(value) {
    if (!isJsonObject(value)) return reject('must be { lat, lng }')
    const { lat, lng, ...others } = value
    return isWithin(lat, 90) && isWithin(lng, 180) && Object.keys(others).length === 0
      ? accept(value)
      : reject('must be { lat, lng } in degrees: lat -90 to 90, lng -180 to 180')
  },
  comparison: null,
  canBeUnique: false,
  searchText: null,
  isProse: false,
  merge: mergedAsWhole,
  graphql: graphType('Geo'),
}

function isWithin(degrees: Json | undefined, max: number): boolean {
  return typeof degrees === 'number' && Math.abs(degrees) <= max
}
