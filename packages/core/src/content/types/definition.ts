import { everyField, innerFields, limits, type ContentType, type Field, type Issue } from '@quire/contract'
import { invalid } from '../../engine/check-input.ts'
import type { Json } from '../../ports/index.ts'
import { rulesOf, uniqueKinds } from '../fields/index.ts'
import { checkValues, storedIn } from './values.ts'

/**
 * Checks what the schema of a content type cannot: patterns and JSON Schemas are valid, defaults
 * fit their fields, groups are not nested too deep, and `slugFrom` and `titleField` name text
 * fields.
 * Errors: `invalid` naming each member.
 */
export async function requireValidType(type: Pick<ContentType, 'fields' | 'settings'>): Promise<void> {
  const issues = [
    ...namedFields(type),
    ...localizedSlugIssues(type),
    ...(await fieldIssues(type.fields, { path: 'fields', depth: 1 })),
  ]
  if (everyField(type.fields).length > limits.fields)
    issues.push({ path: 'fields', message: `has more than ${limits.fields} fields, counting nested ones` })
  if (issues.length > 0) throw invalid(issues)
}

function namedFields({ fields, settings }: Pick<ContentType, 'fields' | 'settings'>): Issue[] {
  return (['slugFrom', 'titleField'] as const).flatMap((member) => {
    const name = settings[member]
    const field = fields.find((candidate) => candidate.name === name)
    if (name === null || (field?.kind === 'text' && !field.list)) return []
    return [
      { path: `settings.${member}`, message: `"${name}" is not a text field of this type, or it is a list` },
    ]
  })
}

function localizedSlugIssues({ fields, settings }: Pick<ContentType, 'fields' | 'settings'>): Issue[] {
  const { localizedSlug: name = null } = settings
  const field = fields.find((candidate) => candidate.name === name)
  if (name === null || (field?.kind === 'slug' && field.localized && field.unique)) return []
  const message = `"${name}" is not a field of kind slug that is localized and unique`
  return [{ path: 'settings.localizedSlug', message }]
}

/** Where fields are in the definition, and how deep they are nested. */
interface Position {
  readonly path: string
  readonly depth: number
  /** Whether they are below a localized field. Default: no. */
  readonly isLocalized?: boolean
}

async function fieldIssues(
  fields: readonly Field[],
  { path, depth, isLocalized = false }: Position,
): Promise<Issue[]> {
  if (depth > limits.groupDepth) return [{ path, message: `is nested more than ${limits.groupDepth} deep` }]
  const issues = fields.map(async (field, index) => {
    const here = `${path}.${index}`
    return [
      ...(await ownIssues(field, here)),
      ...localeIssues(field, { path: here, isLocalized }),
      ...(await innerIssues(field, {
        path: here,
        depth: depth + 1,
        isLocalized: isLocalized || field.localized === true,
      })),
    ]
  })
  return (await Promise.all(issues)).flat()
}

async function ownIssues(field: Field, path: string): Promise<Issue[]> {
  const { settingsIssues, canBeUnique } = rulesOf(field)
  const found = await settingsIssues(field.settings)
  const issues = found.map((issue) => ({ ...issue, path: `${path}.settings.${issue.path}` }))
  if (field.unique && (field.list || !canBeUnique)) {
    issues.push({
      path: `${path}.unique`,
      message: `only fields of these kinds that are not lists can be unique: ${uniqueKinds.join(', ')}`,
    })
  }
  return issues.length > 0 || field.default === undefined ? issues : defaultIssues(field, path)
}

function localeIssues(
  { localized, fallbackCounts }: Field,
  { path, isLocalized }: { path: string; isLocalized: boolean },
): Issue[] {
  if (localized && isLocalized)
    return [{ path: `${path}.localized`, message: 'cannot be below another localized field' }]
  return fallbackCounts && !localized
    ? [{ path: `${path}.fallbackCounts`, message: 'is only for localized fields' }]
    : []
}

async function defaultIssues(field: Field, path: string): Promise<Issue[]> {
  // The cast is safe because a default arrives and is stored as JSON.
  const { issues } = await checkValues([field], { [field.name]: field.default as Json }, storedIn())
  return issues.map(({ message }) => ({ path: `${path}.default`, message }))
}

async function innerIssues(field: Field, { path, ...position }: Position): Promise<Issue[]> {
  const inner = innerFields(field).map((one) => ({ ...one, path: `${path}.${one.path}` }))
  const reserved = inner
    .filter(({ variant, fields }) => variant !== null && fields.some(({ name }) => name === 'type'))
    .map((one) => ({
      path: one.path,
      message: 'a block stores its variant in `type`: use another name',
    }))
  const issues = await Promise.all(
    inner.map((one) => fieldIssues(one.fields, { ...position, path: one.path })),
  )
  return [...reserved, ...issues.flat()]
}
