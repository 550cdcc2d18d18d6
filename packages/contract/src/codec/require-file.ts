import type { BytesIn } from '../api/bytes.ts'
import type { InvalidMember } from './invalid.ts'

/** Checks that a value is a file that can be sent. Errors: QuireError `invalid`. */
export function requireFile(file: unknown, invalid: InvalidMember): BytesIn {
  if (typeof Object(file).stream === 'function') return file as BytesIn
  throw invalid('file', 'is required: a File, a Blob, or anything with stream()')
}
