// Not every browser gives the chunks of a stream to a loop.
/** The chunks of a stream as a loop takes them; the stream is cancelled when the loop is left. */
export async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
