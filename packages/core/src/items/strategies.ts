import type { ContentType, Field } from '@quire/contract'
import type { Strategy } from '../merge/merge.ts'

/** How each member of an item merges: references and categories as sets, prose by lines, JSON, places and blocks whole, the rest as values. */
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

const sets: ReadonlySet<Field['kind']> = new Set(['reference', 'asset', 'category'])
const prose: ReadonlySet<Field['kind']> = new Set(['text', 'richText'])
// Objects whose members make sense together only.
const wholes: ReadonlySet<Field['kind']> = new Set(['json', 'geo', 'union'])

function strategyOf({ kind, list }: Field): Strategy {
  if (wholes.has(kind)) return 'whole'
  if (list) return sets.has(kind) ? 'set' : 'value'
  return prose.has(kind) ? 'lines' : 'value'
}

function flatFields(fields: readonly Field[], prefix: string): [string, Field][] {
  return fields.flatMap((field): [string, Field][] => {
    const own: [string, Field] = [prefix + field.name, field]
    const isSingleGroup = field.kind === 'group' && !field.list
    return isSingleGroup ? [own, ...flatFields(field.settings.fields, `${own[0]}.`)] : [own]
  })
}
