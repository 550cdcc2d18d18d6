import { limits, type AiProposal } from '@quire/contract'
import { isJsonObject, type Json } from '../ports/index.ts'
import type { Choice } from './choices.ts'
import { unusable } from './said.ts'
import { fieldPrefix, type Texts } from './texts.ts'

/** The text that a model was asked for. Errors: `upstream_failed`. */
export function readText(said: Json, name: string): string {
  const text = isJsonObject(said) ? said[name] : undefined
  if (typeof text !== 'string' || text.trim() === '' || text.length > limits.description)
    throw unusable(`without a text "${name}"`)
  return text.trim()
}

/** The texts of a translation: those that were asked for, each of them. Errors: `upstream_failed`. */
export function readTranslation(said: Json, texts: Texts): Partial<AiProposal> {
  const { name = '', description, ...asked } = texts
  const translated = (member: string) => {
    const text = isJsonObject(said) ? said[member] : undefined
    if (typeof text !== 'string' || text === '') throw unusable(`without a translation of "${member}"`)
    return text
  }
  const fields = Object.fromEntries(
    Object.keys(asked).map((member) => [member.slice(fieldPrefix.length), translated(member)]),
  )
  return {
    ...(name !== '' && { name: translated('name').slice(0, limits.name) }),
    ...(description !== undefined && { description: translated('description').slice(0, limits.description) }),
    fields,
  }
}

/** The categories that a model chose, of those that there are, each once. Errors: `upstream_failed` where it names others alone. */
export function readCategories(said: Json, choices: readonly Choice[]): Choice[] {
  const chosen = isJsonObject(said) ? said['categories'] : undefined
  if (!Array.isArray(chosen)) throw unusable('without a list "categories"')
  const known = new Map(choices.map((choice) => [choice.id, choice]))
  const found = [...new Set(chosen)].flatMap((id) => known.get(String(id)) ?? [])
  if (found.length === 0 && chosen.length > 0) throw unusable('with categories that there are not')
  return found.slice(0, 5)
}
