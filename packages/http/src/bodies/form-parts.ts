import { QuireError } from '@quire/contract'
import { decodeBody, type Route } from '@quire/contract/codec'

/** A multipart/form-data body (RFC 7578) that is still arriving. */
export interface ArrivingForm {
  /** With the boundary. */
  readonly contentType: string
  readonly body: AsyncIterable<Uint8Array> | null
}

/**
 * Decodes a form: the JSON of its part `data`, and its part `file`. Errors: QuireError `invalid` for
 * a malformed form, and naming a part that is unknown, duplicated or in the wrong order.
 */
export type ReadForm = (route: Route, form: ArrivingForm) => Promise<unknown>

/** Most bytes of the part `data`: as many as the largest JSON body. */
export const dataBytes = 5 * 1024 * 1024

/**
 * Accepts the next part of a form. `data` must come before `file`, because a file is stored only
 * once its purpose is known. Errors: `invalid`.
 */
export function requirePart(name: string, seen: ReadonlySet<string>): void {
  if (name !== 'data' && name !== 'file') throw invalidPart(name, 'is not a known part')
  if (seen.has(name)) throw invalidPart(name, 'is given twice')
  if (name === 'data' && seen.has('file'))
    throw new QuireError('invalid', 'data: must come before file, which is stored as it arrives', {
      issues: [{ path: 'data', message: 'must come before file' }],
    })
}

/** The input of an operation: the members in `data`, and the file. Errors: `invalid`. */
export function inputOf(route: Route, data: string, file: unknown): unknown {
  const members = decodeBody(route, data)
  return file === undefined ? members : { ...Object(members), file }
}

/** The error for a part `file` that is text. */
export function withoutFileName(): QuireError {
  return invalidPart('file', 'needs a file name, which distinguishes it from text')
}

/** The error for a form without the part that its route needs. */
export function withoutData(): QuireError {
  return invalidPart('data', 'is required: this part contains the JSON')
}

/** The error for a part that is larger than `dataBytes`. */
export function tooLarge(name: string): QuireError {
  return new QuireError('too_large', `The part ${name} is too large.`)
}

/** The error for bytes that are not a form. */
export function malformed(cause: unknown): QuireError {
  return new QuireError('invalid', 'The body is not well-formed multipart/form-data.', { cause })
}

function invalidPart(path: string, message: string): QuireError {
  return new QuireError('invalid', `${path}: ${message}`, { issues: [{ path, message }] })
}
