import type { Endpoint } from '../../endpoint.ts'
import { errorTable } from '../../error-table.ts'
import type { ErrorCode } from '../../errors.ts'
import { errorsOf } from '../../openapi/errors-of.ts'
import { permissionNote } from '../../openapi/permission-note.ts'
import { capital } from '../names.ts'
import { objectDeclaration, type Declaration, type Declarations } from './declare.ts'
import { docText } from './doc-text.ts'
import { defOf, descriptionOf, mayBeAbsent, unwrapped, type Schema } from './schemas.ts'
import { objectText, typeText } from './shape-text.ts'

/** An operation as a member of the interface of its group, and the types that only it uses. */
export interface OperationText {
  readonly member: string
  readonly declared: readonly Declaration[]
  /** Whether its types depend on the content types of the caller. */
  readonly isTyped: boolean
}

interface Named {
  readonly group: string
  readonly operation: string
}

/** Writes one operation. */
export function operationText(named: Named, endpoint: Endpoint, declarations: Declarations): OperationText {
  const base = `${capital(named.group)}${capital(named.operation)}`
  const where = `\`${named.group}.${named.operation}\``
  const input = inputOf({ name: `${base}Input`, about: `The input of ${where}` }, endpoint, declarations)
  const output = outputOf({ name: `${base}Output`, about: `The result of ${where}` }, endpoint, declarations)
  const result = endpoint.answer === 'events' ? `Streamed<${output.type}>` : output.type
  const isTyped = holdsItem(endpoint.output)
  const isOptional = Object.values(endpoint.input.shape).every((member) => mayBeAbsent(member, 'input'))
  if (isTyped && isOptional) throw new Error(`${where} has no required input, as ContentOperation expects`)
  // A read without `select` answers the complete item.
  const whole = named.group === 'published' ? 'PublishedItem' : 'Item'
  const type = isTyped
    ? `ContentOperation<${input.type}, ${result}, C${'select' in endpoint.input.shape ? `, ${whole}` : ''}>`
    : `(input${isOptional ? '?' : ''}: ${input.type}, options?: CallOptions) => Promise<${result}>`
  return {
    member: `${operationDoc(endpoint)}  readonly ${named.operation}: ${type}\n`,
    declared: [...input.declared, ...output.declared],
    isTyped,
  }
}

interface Head {
  readonly name: string
  readonly about: string
}

interface Side {
  readonly type: string
  readonly declared: readonly Declaration[]
}

function inputOf(head: Head, { input }: Endpoint, declarations: Declarations): Side {
  const text = objectText(input, declarations.writing('input'))
  if (!text.startsWith('{')) return { type: text, declared: [] }
  return { type: head.name, declared: [interfaceOf(head, text)] }
}

/** The output gets a name if it is an object without one. */
function outputOf(head: Head, { output }: Endpoint, declarations: Declarations): Side {
  const inner = unwrapped(output)
  const writing = declarations.writing('output')
  const type = typeText(output, writing)
  if (!type.startsWith('{') || defOf(inner).type !== 'object') return { type, declared: [] }
  const text = objectText(inner, writing)
  return { type: head.name + type.slice(text.length), declared: [interfaceOf(head, text)] }
}

function interfaceOf({ name, about }: Head, members: string): Declaration {
  return { name, text: `${docText([about], '')}${objectDeclaration(name, members)}` }
}

/** Whether a result is or contains an item, whose fields are typed with content types. */
function holdsItem(output: Schema | undefined): boolean {
  const shape = shapeOf(output)
  if (!shape) return false
  const outcome = shapeOf(elementOf(shape['outcomes']))
  return (
    'cardPreview' in shape ||
    holdsItem(elementOf(shape['items'])) ||
    holdsItem(shape['deleted']) ||
    holdsItem(outcome?.['item'])
  )
}

function shapeOf(schema: Schema | undefined) {
  const def = schema && defOf(unwrapped(schema))
  return def?.type === 'object' ? def.shape : undefined
}

function elementOf(schema: Schema | undefined): Schema | undefined {
  const def = schema && defOf(unwrapped(schema))
  return def?.type === 'array' ? def.element : undefined
}

function operationDoc(endpoint: Endpoint): string {
  const { method, path, packagePath, summary, description = '', input, errors } = endpoint
  const inPackage = packagePath === undefined ? '' : `, with \`packageName\` \`${packagePath}\``
  const parameters = Object.entries(input.shape).map(([name, member]) =>
    `@param input.${name} - ${sentence(descriptionOf(member))}`.replace(/ - $/, ''),
  )
  // The clients of these types send the right media type.
  const shared = errorsOf(endpoint).filter(
    (code) => !errors.includes(code) && code !== 'unsupported_media_type',
  )
  return docText(
    [
      sentence(summary),
      null,
      description,
      null,
      `\`${method} ${path}\`${inPackage}.`,
      permissionNote(endpoint),
      null,
      ...parameters,
      ...errors.map((code) => `@throws \`${code}\` - ${errorTable[code].message}`),
      `@throws ${shared.map(ticked).join(', ')} - As every operation of its kind.`,
    ],
    '  ',
  )
}

function ticked(code: ErrorCode): string {
  return `\`${code}\``
}

function sentence(text: string): string {
  return text === '' || /[.!?…]$/.test(text) ? text : `${text}.`
}
