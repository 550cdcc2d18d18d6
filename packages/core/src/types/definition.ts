import { limits, schemaProblem, type ContentType, type Field, type Issue } from '@quire/contract'
import { invalid } from '../call/check-input.ts'
import type { Json } from '../ports/index.ts'
import { patternProblem } from './pattern.ts'
import { checkValues } from './values.ts'

/**
 * What a schema cannot say of a content type: patterns and JSON Schemas can be used, defaults fit, groups are not too deep,
 * `slugFrom` and `titleField` name text fields. Errors: `invalid` naming each member.
 */
export async function requireSoundType(type: Pick<ContentType, 'fields' | 'settings'>): Promise<void> {
  const issues = [...namedFields(type), ...(await fieldIssues(type.fields, { path: 'fields', depth: 1 }))]
  if (countOf(type.fields) > limits.fields)
    issues.push({ path: 'fields', message: `has more than ${limits.fields} fields in all` })
  if (issues.length > 0) throw invalid(issues)
}

function namedFields({ fields, settings }: Pick<ContentType, 'fields' | 'settings'>): Issue[] {
  return (['slugFrom', 'titleField'] as const).flatMap((member) => {
    const name = settings[member]
    const field = fields.find((candidate) => candidate.name === name)
    if (name === null || (field?.kind === 'text' && !field.list)) return []
    return [{ path: `settings.${member}`, message: `"${name}" is no single text field of this type` }]
  })
}

interface Place {
  readonly path: string
  readonly depth: number
}

async function fieldIssues(fields: readonly Field[], { path, depth }: Place): Promise<Issue[]> {
  if (depth > limits.groupDepth) return [{ path, message: `is nested more than ${limits.groupDepth} deep` }]
  const issues = fields.map(async (field, index) => {
    const here = `${path}.${index}`
    return [
      ...(await ownIssues(field, here)),
      ...(await innerIssues(field, { path: here, depth: depth + 1 })),
    ]
  })
  return (await Promise.all(issues)).flat()
}

async function ownIssues(field: Field, path: string): Promise<Issue[]> {
  const issues: Issue[] = []
  if (field.kind === 'text' && field.settings.pattern !== undefined) {
    const problem = await patternProblem(field.settings.pattern)
    if (problem) issues.push({ path: `${path}.settings.pattern`, message: problem })
  }
  if (field.kind === 'json' && field.settings.schema) {
    const problem = schemaProblem(field.settings.schema)
    if (problem) issues.push({ path: `${path}.settings.schema`, message: problem })
  }
  if (field.unique && (field.list || !canBeUnique(field))) {
    issues.push({
      path: `${path}.unique`,
      message: 'only single text, number, date, slug, url and email fields can be unique',
    })
  }
  return issues.length > 0 || field.default === undefined ? issues : defaultIssues(field, path)
}

const uniqueKinds: ReadonlySet<Field['kind']> = new Set([
  'text',
  'number',
  'integer',
  'date',
  'datetime',
  'slug',
  'url',
  'email',
])

function canBeUnique(field: Field): boolean {
  return uniqueKinds.has(field.kind)
}

async function defaultIssues(field: Field, path: string): Promise<Issue[]> {
  // A default arrives as JSON and is kept as JSON.
  const { issues } = await checkValues([field], { [field.name]: field.default as Json })
  return issues.map(({ message }) => ({ path: `${path}.default`, message }))
}

async function innerIssues(field: Field, { path, depth }: Place): Promise<Issue[]> {
  if (field.kind === 'group')
    return fieldIssues(field.settings.fields, { path: `${path}.settings.fields`, depth })
  if (field.kind !== 'union') return []
  const variants = field.settings.variants.map(({ fields }, index) =>
    fieldIssues(fields, { path: `${path}.settings.variants.${index}.fields`, depth }),
  )
  const reserved = field.settings.variants.flatMap(({ fields }, index) =>
    fields.some(({ name }) => name === 'type')
      ? [
          {
            path: `${path}.settings.variants.${index}.fields`,
            message: 'a block keeps its variant in `type`: use another name',
          },
        ]
      : [],
  )
  return [...reserved, ...(await Promise.all(variants)).flat()]
}

function countOf(fields: readonly Field[]): number {
  return fields.reduce((sum, field) => {
    if (field.kind === 'group') return sum + 1 + countOf(field.settings.fields)
    if (field.kind !== 'union') return sum + 1
    return sum + 1 + field.settings.variants.reduce((inner, variant) => inner + countOf(variant.fields), 0)
  }, 0)
}
