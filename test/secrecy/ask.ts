import { QuireError, TokenError } from '@quire/contract'
import { Serialized, ServedBytes, type Quire, type Principal } from '@quire/core'
import type { Question } from './questions.ts'

/** The answers of all pages, as text that can be compared. */
export interface Answered {
  readonly texts: readonly string[]
  /** Whether there was any error other than a known refusal. */
  readonly isCrash: boolean
}

// No list here has more pages. More would mean that the cursors form a cycle.
const mostPages = 50

/** Asks a question, and follows its pages to the last one if it is paged. */
export async function ask(quire: Quire, principal: Principal, question: Question): Promise<Answered> {
  const texts: string[] = []
  let cursor: string | undefined
  do {
    const { text, next, isCrash } = await askOnce(quire, principal, pageOf(question, cursor))
    texts.push(text)
    if (isCrash) return { texts, isCrash }
    cursor = isPaged(question) ? next : undefined
  } while (cursor !== undefined && texts.length < mostPages)
  return { texts, isCrash: texts.length >= mostPages }
}

/** Documents pass limit and cursor as variables. */
function isPaged({ input }: Question): boolean {
  return (input['limit'] ?? Object(input['variables']).limit) !== undefined
}

function pageOf(question: Question, cursor: string | undefined): Question {
  const { input, group } = question
  if (cursor === undefined) return question
  if (group !== 'graphql') return { ...question, input: { ...input, cursor } }
  const variables = { ...Object(input['variables']), cursor }
  return { ...question, input: { ...input, variables } }
}

interface SingleRequest {
  readonly text: string
  readonly next: string | undefined
  readonly isCrash: boolean
}

async function askOnce(quire: Quire, principal: Principal, question: Question): Promise<SingleRequest> {
  try {
    const answer = await quire.run({ ...question, principal, options: { requestId: 'same' } })
    if (answer instanceof ServedBytes)
      return { text: await textOfBytes(answer), next: undefined, isCrash: false }
    const text: string | undefined = answer instanceof Serialized ? answer.text : JSON.stringify(answer)
    const etag = answer instanceof Serialized ? answer.etag : null
    const nextCursor = cursorIn(text)
    return { text: `${masked(text, nextCursor)} ${etag}`, next: nextCursor, isCrash: false }
  } catch (error) {
    return { text: refusalOf(error), next: undefined, isCrash: isCrash(error) }
  }
}

/** The cursor of the next page. In a document's answer it is in the field `it`. */
function cursorIn(text: string | undefined): string | undefined {
  type Paged = { readonly nextCursor?: string | null }
  const answer = JSON.parse(text ?? '{}') as Paged & { readonly data?: { readonly it?: Paged | null } | null }
  return answer.nextCursor ?? answer.data?.it?.nextCursor ?? undefined
}

async function textOfBytes(answer: ServedBytes): Promise<string> {
  const { mimeType, fileName, etag, disposition } = answer.source
  const bytes = Buffer.from(await answer.bytes()).toString('base64')
  return JSON.stringify({ mimeType, fileName, etag, disposition, bytes })
}

/**
 * An encrypted cursor is different every time and reveals only its length, so only the length is
 * compared.
 */
function masked(text: string | undefined, cursor: string | undefined): string {
  if (cursor === undefined || isPlain(cursor)) return String(text)
  return String(text).replace(cursor, `(sealed, ${cursor.length} characters)`)
}

function isPlain(cursor: string): boolean {
  try {
    JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return true
  } catch {
    return false
  }
}

function refusalOf(error: unknown): string {
  if (error instanceof TokenError) return `${error.status} ${error.message}`
  if (!(error instanceof QuireError)) return String(error)
  const { code, status, message, issues, conflicts, details } = error
  return JSON.stringify({ code, status, message, issues, conflicts, details })
}

function isCrash(error: unknown): boolean {
  return !(error instanceof QuireError || error instanceof TokenError) || error.status >= 500
}
