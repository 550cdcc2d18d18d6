import type { BytesIn } from '@quire/contract/api'
import type { EncodedRequest } from '@quire/contract/client'

/** The body of a request that sends a file. */
export async function fileBodyOf({ body, isForm }: EncodedRequest, file: BytesIn): Promise<Blob | FormData> {
  const blob = await blobOf(file)
  if (!isForm) return blob
  const form = new FormData()
  form.append('data', body ?? '{}')
  form.append('file', blob, file.name ?? 'file')
  return form
}

/**
 * A file as a Blob, which every fetch can send. Anything that is not a Blob is read into memory.
 */
async function blobOf(file: BytesIn): Promise<Blob> {
  if (file instanceof Blob) return file
  const chunks: BlobPart[] = []
  // Node and every browser that streams uploads can iterate over streams.
  for await (const chunk of file.stream() as AsyncIterable<Uint8Array<ArrayBuffer>>) chunks.push(chunk)
  return new Blob(chunks, { type: file.type ?? '' })
}
