import { QuireError } from '../errors.ts'
import { invalidMember } from './invalid.ts'

/**
 * The JSON text in the part `data` of a multipart/form-data body (RFC 7578), whose content type names the boundary.
 * Errors: QuireError `invalid` for what is not multipart, and naming the part that is absent or unknown.
 */
export async function multipartData(contentType: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const form = await partsOf(contentType, bytes)
  const unknown = [...form.keys()].find((name) => name !== 'data')
  if (unknown === 'file') throw invalidMember('file', 'cannot be stored here: this item takes no binary')
  if (unknown !== undefined) throw invalidMember(unknown, 'is not a known part')
  const [data, ...more] = form.getAll('data')
  if (data === undefined) throw invalidMember('data', 'is required: the part with the JSON')
  if (more.length > 0) throw invalidMember('data', 'is given twice')
  return typeof data === 'string' ? data : data.text()
}

async function partsOf(contentType: string, bytes: Uint8Array<ArrayBuffer>): Promise<FormData> {
  try {
    return await new Response(bytes, { headers: { 'content-type': contentType } }).formData()
  } catch (error) {
    throw new QuireError('invalid', 'The body is not well-formed multipart/form-data.', { cause: error })
  }
}
