import { limits } from '@quire/contract'
import type { Call } from '../call/call.ts'
import { contentOf } from '../items/content.ts'
import type { Entity } from '../ports/index.ts'
import { typeOf } from '../types/find.ts'

/** Texts of an item by where they stand: `name`, `description`, `fields.title`. */
export type Texts = Readonly<Record<string, string>>

/** What stands before the name of an own field, so that none is taken for a member of the item. */
export const fieldPrefix = 'fields.'

/** The texts of an item that people read: its name, its description, and its own texts that are no list. */
export async function textsOf(call: Call, head: Entity): Promise<Texts> {
  const { name, description, fields } = contentOf(head)
  const type = await typeOf(call, head)
  const own = type.fields.flatMap(({ name: field, kind, list }) => {
    const value = fields[field]
    const isText = (kind === 'text' || kind === 'richText') && !list
    return isText && typeof value === 'string' && value !== ''
      ? [[`${fieldPrefix}${field}`, value] as const]
      : []
  })
  return { name, ...(description !== '' && { description }), ...Object.fromEntries(own) }
}

/** The same with what its file says, as one text, as much of it as a model is shown. */
export async function wholeTextOf(call: Call, head: Entity): Promise<string> {
  const { asset } = contentOf(head)
  const fileText = asset && (await call.store.texts.get(asset.hash))
  const texts = Object.values(await textsOf(call, head))
  return [...texts, ...(fileText ? [fileText] : [])].join('\n\n').slice(0, limits.taskText)
}
