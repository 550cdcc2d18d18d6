import { innerFields, type Field, type SchemaChange, type TypeDefinition } from '@quire/contract'
import { isSame } from '../../engine/same.ts'
import type { Json, JsonObject } from '../../ports/index.ts'
import { innerPath, type Renames, type Renaming } from '../migrations/values.ts'

type FieldChange = SchemaChange['fields'][number]

/** What changes between two definitions of a content type, besides single fields. */
export function changedMembers(before: TypeDefinition, after: TypeDefinition): string[] {
  const own = (['name', 'displayName', 'apiName', 'description'] as const).filter(
    (member) => before[member] !== after[member],
  )
  const settings = namesOfDifferent(before.settings, after.settings).map((name) => `settings.${name}`)
  const stay = (one: TypeDefinition, other: TypeDefinition): Json =>
    one.fields.map(({ name }) => name).filter((name) => other.fields.some((field) => field.name === name))
  const isSameOrder = isSame(stay(before, after), stay(after, before))
  return [...own, ...settings, ...(isSameOrder ? [] : ['fields'])]
}

/** The fields that change, with their paths. */
export function changedFields(
  before: readonly Field[],
  after: readonly Field[],
  { renames, prefix = '' }: Renaming,
): FieldChange[] {
  const left = new Map(before.map((field) => [field.name, field]))
  const changes = after.flatMap((field) => {
    const path = prefix + field.name
    const from = left.has(field.name) ? field.name : (renames[path] ?? field.name)
    const previous = left.get(from)
    left.delete(from)
    if (!previous) return [changeOf(path, 'create')]
    return [...ownChanges(previous, field, path), ...innerChanges(previous, field, { path, renames })]
  })
  return [...changes, ...[...left.keys()].map((name) => changeOf(prefix + name, 'delete'))]
}

function changeOf(path: string, kind: FieldChange['kind']): FieldChange {
  return { path, kind, from: null, members: [] }
}

function ownChanges(before: Field, after: Field, path: string): FieldChange[] {
  const members = [
    ...namesOfDifferent(plainOf(before), plainOf(after)),
    ...namesOfDifferent(ownSettings(before), ownSettings(after)).map((name) => `settings.${name}`),
  ]
  if (before.name !== after.name) return [{ path, kind: 'rename', from: before.name, members }]
  return members.length === 0 ? [] : [{ ...changeOf(path, 'update'), members }]
}

function plainOf({ name: _name, settings: _settings, ...plain }: Field): object {
  // Absent means the same as false.
  const { localized = false, fallbackCounts = false } = plain
  return { ...plain, localized, fallbackCounts }
}

/** Settings without nested fields, which are compared one by one. */
function ownSettings(field: Field): object {
  const settings = structuredClone(field.settings)
  for (const { path } of innerFields(field)) removeAt({ settings }, path.split('.'))
  return settings
}

function removeAt(holder: object, [name = '', ...rest]: readonly string[]): void {
  if (rest.length === 0) Reflect.deleteProperty(holder, name)
  else removeAt(Reflect.get(holder, name) as object, rest)
}

function innerChanges(
  before: Field,
  after: Field,
  { path, renames }: { path: string; renames: Renames },
): FieldChange[] {
  const was = new Map(innerFields(before).map(({ variant, fields }) => [variant, fields]))
  return innerFields(after).flatMap(({ variant, fields }) => {
    const previous = was.get(variant)
    return previous ? changedFields(previous, fields, { renames, prefix: innerPath(path, variant) }) : []
  })
}

function namesOfDifferent(before: object, after: object): string[] {
  // Definitions are JSON.
  const [one, other] = [before, after] as [JsonObject, JsonObject]
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].filter((name) => !isSame(one[name] ?? null, other[name] ?? null))
}
