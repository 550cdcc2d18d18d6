import type { Binary } from '@quire/contract/api'

/** The bytes of a response, which can be read as they arrive. */
export function binaryOf(response: Response): Binary {
  const header = (name: string) => response.headers.get(name)
  const length = header('content-length')
  const [, start, end, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(header('content-range') ?? '') ?? []
  return {
    mimeType: header('content-type') ?? 'application/octet-stream',
    fileName: fileNameOf(header('content-disposition') ?? ''),
    // With a content encoding, Content-Length is not the number of decoded bytes.
    size: length === null || header('content-encoding') !== null ? null : Number(length),
    etag: header('etag')?.replaceAll(/^(?:W\/)?"|(?:-(?:br|gzip))?"$/g, '') ?? null,
    range: total === undefined ? null : { start: Number(start), end: Number(end), total: Number(total) },
    stream: () => response.body ?? new Blob().stream(),
    bytes: async () => new Uint8Array(await response.arrayBuffer()),
  }
}

/**
 * The file name in Content-Disposition (RFC 6266). The extended name takes precedence over the
 * plain one.
 */
function fileNameOf(disposition: string): string {
  const extended = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  if (extended !== undefined) return decodeURIComponent(extended)
  return (
    /filename="((?:[^"\\]|\\.)*)"/.exec(disposition)?.[1]?.replaceAll(/\\(.)/g, '$1') ??
    /filename=([^;"]+)/.exec(disposition)?.[1] ??
    'file'
  )
}
