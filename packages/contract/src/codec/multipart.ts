import { QuireError } from '../errors.ts'
import { invalidMember } from './invalid.ts'

/** The parts of a multipart/form-data body that operations accept. */
export interface MultipartParts {
  /** JSON text; undefined if there is none. */
  readonly data: string | undefined
  readonly file: File | undefined
}

/**
 * The parts `data` and `file` of a multipart/form-data body (RFC 7578). The content type has the
 * boundary.
 * Errors: QuireError `invalid` for a body that is not multipart, or that names a part that is
 * unknown or given twice.
 */
export async function multipartParts(
  contentType: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<MultipartParts> {
  const form = await partsOf(contentType, bytes)
  const seen = new Set<string>()
  for (const name of form.keys()) {
    requirePart(name, seen)
    seen.add(name)
  }
  const [data, file] = [form.get('data'), form.get('file')]
  return {
    data: data === null || typeof data === 'string' ? (data ?? undefined) : await data.text(),
    file: typeof file === 'string' ? new File([file], '') : (file ?? undefined),
  }
}

/**
 * Errors: QuireError `invalid` that names a part that no operation accepts, or that was sent
 * before.
 */
export function requirePart(name: string, seen: ReadonlySet<string>): void {
  if (name !== 'data' && name !== 'file') throw invalidMember(name, 'is not a known part')
  if (seen.has(name)) throw invalidMember(name, 'is given twice')
}

async function partsOf(contentType: string, bytes: Uint8Array<ArrayBuffer>): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { 'content-type': contentType } }).formData()
  } catch (error) {
    throw new QuireError('invalid', 'The body is not well-formed multipart/form-data.', { cause: error })
  }
}
