import { valueOf } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { isJsonObject, type Entity, type Json, type JsonObject } from '../../ports/index.ts'
import { contentOf } from '../items/content.ts'

/** Translations of an item into one locale. */
interface ToWrite {
  readonly head: Entity
  readonly packageName: string
  readonly locale: string
  /** By the path of the localized value: `fields.title`, `fields.body.0.text`. */
  readonly values: ReadonlyMap<string, Json>
}

/**
 * Writes translations into a package as one version, by the rights of the caller. Returns its number.
 * What others have changed since the head was read is merged. Errors: those of `items.update`.
 */
export async function writeTranslations(
  call: Call,
  { head, packageName, locale, values }: ToWrite,
): Promise<number> {
  const { fields } = contentOf(head)
  let translated: Json = fields
  const names = new Set<string>()
  for (const [path, value] of values) {
    const [, name = '', ...rest] = path.split('.')
    names.add(name)
    translated = withValueAt(translated, [name, ...rest, locale], value)
  }
  const whole = isJsonObject(translated) ? translated : fields
  const { currentVersion } = valueOf(
    await call.invoke('items.update', {
      configId: head.repositoryId,
      packageName,
      id: head.id,
      locale: '*',
      fields: Object.fromEntries([...names].map((name) => [name, whole[name] ?? null])),
      baseVersion: head.version,
    }),
  )
  return currentVersion
}

/** A copy with another value at a path through objects and lists. */
function withValueAt(json: Json, [name, ...rest]: readonly string[], value: Json): Json {
  if (name === undefined) return value
  if (Array.isArray(json))
    return json.map((entry: Json, index) =>
      String(index) === name ? withValueAt(entry, rest, value) : entry,
    )
  const object: JsonObject = isJsonObject(json) ? json : {}
  return { ...object, [name]: withValueAt(object[name] ?? {}, rest, value) }
}
