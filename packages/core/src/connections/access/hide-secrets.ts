import { redacted } from '../../engine/redacted.ts'
import { isJsonObject, type Json, type JsonObject } from '../../ports/index.ts'

/**
 * Names of members that hold secrets. Broad on purpose: a harmless text that is redacted can be
 * looked up elsewhere, but a secret that is shown has to be changed. The contract describes this
 * rule in words.
 */
const secretName =
  /key|secret|token|pass|pwd|credential|authori[sz]ation|bearer|cookie|signature|private|dsn|connection_?string|.auth$|^headers?$/i

/** A URL with a user name or password, such as a connection string. */
const addressWithUser = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]*@/i

/** Called with each secret and its path. Returns the replacement. */
type Replace = (text: string, path: string) => string

/**
 * Replaces each secret. Below a member with a secret name, every text is a secret; numbers and
 * booleans never are.
 */
export function replaceSecrets(members: JsonObject, replace: Replace): JsonObject {
  return replaceInMembers(members, { path: '', isSecret: false, replace })
}

/** Replaces each secret with `***`. */
export function hideSecrets(members: JsonObject): JsonObject {
  return replaceSecrets(members, () => redacted)
}

/** The paths of secrets that are `***`, which is the redacted form sent back. */
export function findPlaceholders(members: JsonObject): readonly string[] {
  const paths: string[] = []
  replaceSecrets(members, (text, path) => {
    if (text === redacted) paths.push(path)
    return text
  })
  return paths
}

interface Position {
  readonly path: string
  readonly isSecret: boolean
  readonly replace: Replace
}

function replaceInMembers(members: JsonObject, position: Position): JsonObject {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => {
      const isSecret = position.isSecret || secretName.test(name)
      return [name, replaceInValue(value, { ...position, path: below(position.path, name), isSecret })]
    }),
  )
}

function replaceInValue(value: Json, position: Position): Json {
  if (typeof value === 'string')
    return position.isSecret || addressWithUser.test(value) ? position.replace(value, position.path) : value
  if (isJsonObject(value)) return replaceInMembers(value, position)
  if (!Array.isArray(value)) return value
  return value.map((entry: Json, index) =>
    replaceInValue(entry, { ...position, path: below(position.path, String(index)) }),
  )
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
