import type { Field } from '@quire/contract'
import { samples } from './field-values.ts'
import type { KnownType } from './pool.ts'
import type { Random } from './random.ts'

/** The input for building selections. */
export interface Selecting {
  readonly random: Random
  /** The types that references may lead to. */
  readonly types: readonly KnownType[]
}

const plainMembers = [
  'id',
  'type',
  'name',
  'slug',
  'repositoryId',
  'description',
  'status',
  'folderId',
  'packageName',
  'currentVersion',
  'latestVersion',
  'isArchived',
  'isPublished',
  'isPreview',
  'isLatest',
  'isLatestPublished',
  'createdDate',
  'updatedDate',
  'publishedDate',
  'fileExtension',
  'originalFileName',
  'cardPreview',
  '__typename',
] as const

const ofRendition = '{ name url format mimeType size fileName }'

const deepMembers = [
  'createdByUser { userName displayName email }',
  'updatedByUser { userName }',
  'asset { mimeType size width height hash }',
  `renditions ${ofRendition}`,
  `rendition(name: "Thumbnail") ${ofRendition}`,
  `small: rendition(name: "Thumbnail", format: "webp") ${ofRendition}`,
  'categories { id name taxonomyId taxonomyName }',
  'versionHistory { version updatedDate updatedByUser { userName } }',
] as const

/** The name of a type in the schema: `Article`. */
export function objectName({ apiName }: KnownType): string {
  return upperFirst(apiName)
}

/** Capitalizes a name. */
export function upperFirst(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** A selection of item members in braces, some with nested selections. */
export function itemSelection(selecting: Selecting, depth = 0): string {
  const { random, types } = selecting
  const type = random.pick(types)
  const asType = type && random.chance(0.6) ? [`... on ${typeSelection(selecting, type, depth)}`] : []
  return `{ ${[...members(random), ...asType].join(' ')} }`
}

/** The same for an item of a type, with its own fields, after a type condition. */
export function typeSelection(selecting: Selecting, type: KnownType, depth = 0): string {
  return `${objectName(type)} ${objectSelection(selecting, type, depth)}`
}

/** The same without the type condition. */
export function objectSelection(selecting: Selecting, type: KnownType, depth = 0): string {
  const own = fieldSelections(selecting, type.fields, { owner: objectName(type), accepted, depth })
  return `{ ${[...members(selecting.random), ...own].join(' ')} }`
}

function members(random: Random): string[] {
  const some = Array.from({ length: 1 + random.below(4) }, () => random.pick(plainMembers))
  return [...some, ...deepMembers.filter(() => random.chance(0.15))]
}

/** Built-in member names. A field with the same name gets another name in the schema. */
const accepted: ReadonlySet<string> = new Set([
  ...plainMembers,
  ...deepMembers.map((member) => member.replace(/[^a-zA-Z].*/, '')),
])

interface Within {
  /** The prefix for the names of nested types. */
  readonly owner: string
  readonly accepted: ReadonlySet<string>
  readonly depth: number
}

// How many levels of references are followed. A document may have ten levels.
const deepest = 2

function fieldSelections(selecting: Selecting, fields: readonly Field[], within: Within): string[] {
  return fields
    .filter(() => selecting.random.chance(0.5))
    .map((field) => {
      const name = within.accepted.has(field.name) ? `field_${field.name}` : field.name
      return `${name} ${valueSelection(selecting, field, within)}`
    })
}

/** The selection of a field's value; empty if the value has no members. */
function valueSelection(selecting: Selecting, field: Field, { owner, depth }: Within): string {
  const name = `${owner}_${upperFirst(field.name)}`
  const inner = { owner: name, accepted: new Set<string>(), depth }
  if (field.kind === 'reference') return targetSelection(selecting, field.settings.types, depth)
  if (field.kind === 'asset') return targetSelection(selecting, [], depth)
  if (field.kind === 'group')
    return `{ __typename ${fieldSelections(selecting, field.settings.fields, inner).join(' ')} }`
  if (field.kind !== 'union') return samples[field.kind].selection
  const variants = field.settings.variants.map((variant) => {
    const own = { ...inner, owner: `${name}_${upperFirst(variant.name)}`, accepted: new Set(['type']) }
    return `... on ${own.owner} { type ${fieldSelections(selecting, variant.fields, own).join(' ')} }`
  })
  return `{ __typename ${variants.join(' ')} }`
}

function targetSelection(selecting: Selecting, targets: readonly string[], depth: number): string {
  if (depth >= deepest) return '{ id }'
  if (targets.length !== 1) return itemSelection(selecting, depth + 1)
  const only = selecting.types.find(({ name }) => name === targets[0])
  return only ? objectSelection(selecting, only, depth + 1) : '{ id name }'
}
