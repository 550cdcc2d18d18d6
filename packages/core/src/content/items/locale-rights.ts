import { QuireError, type ContentType, type PermissionKey } from '@quire/contract'
import { heldLocales } from '../../engine/access/permissions.ts'
import { notPermitted, type Call } from '../../engine/call.ts'
import type { Scope } from '../../engine/scope.ts'
import type { Entity } from '../../ports/index.ts'
import { outsideChange } from '../locales/changes.ts'
import { asJson, comparedJson, withoutStamps, type ItemContent } from './content.ts'

/** Items of a type that a caller changes or publishes. */
interface InScope {
  readonly scope: Scope
  readonly type: Pick<ContentType, 'name'>
}

/** The locales in which the caller holds a key for items; `all`: without a limit to locales. */
export function localesHeld(
  { identity }: Call,
  key: PermissionKey,
  { scope: { branch, repository }, type }: InScope,
): 'all' | readonly string[] {
  const { locales } = repository.settings
  return heldLocales(identity.permissions, key, { ...branch, type: type.name, locales })
}

/** What a caller does in some locales; undefined: in all of them. */
interface InLocales extends InScope {
  readonly locales: readonly string[] | undefined
}

/** Whether the caller holds the key in each of the locales. */
export function mayInLocales(call: Call, key: PermissionKey, { locales, ...what }: InLocales): boolean {
  const held = localesHeld(call, key, what)
  return held === 'all' || (locales?.every((code) => held.includes(code)) ?? false)
}

/** Errors: `forbidden` for a caller who does not hold the key in each of the locales. */
export function requireInLocales(call: Call, key: PermissionKey, what: InLocales): void {
  if (mayInLocales(call, key, what)) return
  const held = [localesHeld(call, key, what)].flat()
  const other = what.locales?.find((code) => !held.includes(code))
  const hint = 'name the locales in `locales`'
  throw outsideLocales(key, held, other === undefined ? hint : `they do not permit ${other}`)
}

/** Content that a caller saves. */
interface ContentChange {
  readonly scope: Scope
  readonly type: ContentType
  /** Null for a new item: `items.create` cannot be limited to locales. */
  readonly previous: Entity | null
  readonly content: ItemContent
}

/**
 * A caller who holds `items.update` in some locales only changes the values of these and nothing
 * else, in whatever way the change was sent. To be checked before everything whose errors tell what
 * exists. Errors: `forbidden` naming the first other change.
 */
export function requireChangeInLocales(call: Call, { scope, type, previous, content }: ContentChange): void {
  if (!previous) return
  const key = 'items.update'
  const held = localesHeld(call, key, { scope, type })
  if (held === 'all') return
  const sides = { before: comparedJson(previous), after: withoutStamps(asJson(content)) }
  const path = outsideChange(type, { ...sides, codes: new Set(held) })
  if (path !== null || held.length === 0)
    throw outsideLocales(key, held, `they do not permit a change of ${path}`)
}

function outsideLocales(permission: PermissionKey, held: readonly string[], problem: string): QuireError {
  if (held.length === 0) return notPermitted([permission])
  const message = `Your roles limit ${permission} to ${held.join(', ')}: ${problem}.`
  return new QuireError('forbidden', message, { details: { permission, locales: [...held] } })
}
