import type { Item } from '@quire/contract'
import type { Draft } from './draft.ts'

/** The members of an item that a draft sets, in its locale. */
export function valuesOf({ name, description, fields, locale }: Draft) {
  return {
    name,
    fields: fields as Item['fields'],
    ...(description !== undefined && { description }),
    ...(locale !== undefined && { locale }),
  }
}

/** How to read the values of a draft's locale: those of its fallbacks are not its own. */
export function viewOf({ locale }: Draft): { locale?: string; fallback?: boolean } {
  return locale === undefined ? {} : { locale, fallback: false }
}
