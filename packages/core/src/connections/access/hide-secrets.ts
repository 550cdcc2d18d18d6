import { redacted } from '../../engine/redacted.ts'
import { isJsonObject, type Json, type JsonObject } from '../../ports/index.ts'

/**
 * Names of members that hold secrets, whatever the provider calls them. Broad on purpose: a text that is hidden for nothing is one that
 * people look up elsewhere, a secret that is shown has to be changed. The contract says the same in words.
 */
const secretName =
  /key|secret|token|pass|pwd|credential|authori[sz]ation|bearer|cookie|signature|private|dsn|connection_?string|.auth$|^headers?$/i

/** An address with a user or a password in it: a connection string by any name. */
const addressWithUser = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]*@/i

/** Told of each secret text and where it stands; answers what is to stand there. */
type Replace = (text: string, path: string) => string

/** The same members with something else in place of each secret. Below a secret name every text is one; numbers and booleans are none. */
export function replaceSecrets(members: JsonObject, replace: Replace): JsonObject {
  return replacedIn(members, { path: '', isSecret: false, replace })
}

/** The same members with `***` in place of each secret. */
export function hideSecrets(members: JsonObject): JsonObject {
  return replaceSecrets(members, () => redacted)
}

/** The paths of secrets that are `***`: what was shown, sent back. */
export function standIns(members: JsonObject): readonly string[] {
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

function replacedIn(members: JsonObject, position: Position): JsonObject {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => {
      const isSecret = position.isSecret || secretName.test(name)
      return [name, replaced(value, { ...position, path: below(position.path, name), isSecret })]
    }),
  )
}

function replaced(value: Json, position: Position): Json {
  if (typeof value === 'string')
    return position.isSecret || addressWithUser.test(value) ? position.replace(value, position.path) : value
  if (isJsonObject(value)) return replacedIn(value, position)
  if (!Array.isArray(value)) return value
  return value.map((entry: Json, index) =>
    replaced(entry, { ...position, path: below(position.path, String(index)) }),
  )
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
