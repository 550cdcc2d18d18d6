import type { ContentType, Field } from '@quire/contract'
import { rulesOf } from '../fields/index.ts'
import type { Strategy } from '../merge/merge.ts'

/** How each member of an item merges; its fields as their kinds say. */
export function strategiesOf(type: ContentType): (path: string) => Strategy {
  const fields = new Map(flatFields(type.fields, 'fields.'))
  return (path) => {
    // Not the role lists: two limits merged as sets would let in whom either shut out.
    if (path === 'categories') return 'set'
    if (path === 'description') return 'lines'
    // A focal point is of one picture, a hand-made rendition of one file.
    if (path === 'asset') return 'whole'
    const field = fields.get(path)
    return field ? strategyOf(field) : 'value'
  }
}

function strategyOf(field: Field): Strategy {
  const { merge } = rulesOf(field)
  return field.list ? merge.list : merge.single
}

function flatFields(fields: readonly Field[], prefix: string): [string, Field][] {
  return fields.flatMap((field): [string, Field][] => {
    const path = prefix + field.name
    const members = field.list ? [] : rulesOf(field).members(field.settings)
    return [[path, field], ...flatFields(members, `${path}.`)]
  })
}
