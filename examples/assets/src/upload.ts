import type { Client } from '@quire/client'
import type { Item } from '@quire/contract'

/** What is told of an upload. */
type Report = (line: string) => void

// The demo's picture has some 300 kB. Left out, a piece has 8 MiB.
const pieceBytes = 128 * 1024

/** Uploads a picture; when it has several pieces, the line breaks after the first, and it goes on where the service has it. */
export async function uploadInTwo(quire: Client, file: File, notify: Report): Promise<Item> {
  // In a browser this is `localStorage`: then an upload goes on after a reload too.
  const begun = new Map<string, string>()
  const options = {
    repositoryId: 'magazine',
    type: 'picture',
    fields: { alt: 'Oak galls on a twig' },
    pieceBytes,
    memory: {
      getItem: (key: string) => begun.get(key) ?? null,
      setItem: (key: string, uploadId: string) => void begun.set(key, uploadId),
      removeItem: (key: string) => void begun.delete(key),
    },
  }
  const line = new AbortController()
  const onProgress = ({ sent, total }: { sent: number; total: number }) => {
    notify(`${Math.round((100 * sent) / total)} %`)
    if (sent > 0 && sent < total) line.abort()
  }
  try {
    return await quire.assets.upload(file, { ...options, onProgress, signal: line.signal })
  } catch (error) {
    if (!line.signal.aborted) throw error
  }
  notify('the line breaks')
  return quire.assets.upload(file, { ...options, onProgress })
}
