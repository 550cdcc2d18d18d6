import type { Client } from '@quire/client'
import type { Item } from '@quire/contract'

/** Receives the progress of an upload as text. */
type Report = (line: string) => void

// The demo's picture has about 300 kB. The default for a piece is 8 MiB.
const pieceBytes = 128 * 1024

/**
 * Uploads a picture. If it has several pieces, the connection breaks after the first one, and the
 * upload resumes at the offset of the service.
 */
export async function uploadInTwo(quire: Client, file: File, notify: Report): Promise<Item> {
  // In a browser, use `localStorage`: then an upload also resumes after a reload.
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
  notify('the connection breaks')
  return quire.assets.upload(file, { ...options, onProgress })
}
