import type { BytesIn } from '@quire/contract/api'
import type { EncodedRequest } from '@quire/contract/client'

/** Bytes from which a file that is no Blob is streamed in Node. At half, fewer can be sent again. */
const leastStreamed = 64 * 1024 ** 2

/** The body of a request that sends a file. */
export async function fileBodyOf(
  { body, isForm }: EncodedRequest,
  file: BytesIn,
): Promise<Blob | FormData | ReadableStream<Uint8Array>> {
  if (!isForm && isStreamed(file)) return streamOf(file)
  const blob = await blobOf(file)
  if (!isForm) return blob
  const form = new FormData()
  form.append('data', body ?? '{}')
  form.append('file', blob, file.name ?? 'file')
  return form
}

function streamOf(file: BytesIn): ReadableStream<Uint8Array> {
  const bytes = file.stream()
  if (bytes instanceof ReadableStream) return bytes
  const chunks = bytes[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => void (await chunks.return?.()),
  })
}

/** Browsers that can stream a body at all do it only with HTTP/2. */
function isStreamed(file: BytesIn): boolean {
  // Before version 21, Node has no navigator.
  const isNode = typeof navigator === 'undefined' || navigator.userAgent.startsWith('Node.js')
  return isNode && !(file instanceof Blob) && (file.size ?? 0) >= leastStreamed
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
