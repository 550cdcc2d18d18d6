import type { Upload, UploadCapabilities } from '../files/uploads/shapes.ts'
import type { InvalidMember } from './invalid.ts'
import type { ReceivedResponse } from './received-response.ts'
import { decodeMetadata } from './tus-request.ts'

/**
 * The output of an upload operation, from the headers of its response; undefined if there is none.
 */
export function decodeTusAnswer(
  method: string,
  header: ReceivedResponse['header'],
  invalid: InvalidMember,
): unknown {
  if (method === 'DELETE') return undefined
  if (method === 'OPTIONS') {
    return {
      version: header('tus-version') ?? '',
      extensions: listOf(header('tus-extension')),
      maxSize: Number(header('tus-max-size')),
      checksumAlgorithms: listOf(header('tus-checksum-algorithm')),
    } satisfies UploadCapabilities
  }
  return {
    id: header('quire-upload-id') ?? '',
    length: Number(header('upload-length')),
    offset: Number(header('upload-offset')),
    expiresDate: Date.parse(header('upload-expires') ?? ''),
    metadata: decodeMetadata(header('upload-metadata') ?? '', invalid),
    itemId: header('quire-item-id'),
  } satisfies Upload
}

function listOf(text: string | null): string[] {
  return (text ?? '').split(',').filter(Boolean)
}
