import { limits } from '@quire/contract'
import type { Call } from '../../../engine/call.ts'
import { invalid } from '../../../engine/check-input.ts'
import { joined } from '../../../engine/paging.ts'
import { requireQuotaFor } from '../../../engine/quotas.ts'
import type { Scope } from '../../../engine/scope.ts'
import { takeSlots } from '../../../engine/take-slots.ts'
import type { Bytes } from '../../../ports/index.ts'
import { plainFileName } from '../file-name.ts'
import { withText } from '../file-text.ts'
import { assetTypeFor, sniff, sniffedBytes } from '../file-types.ts'
import { receiveFile, type ReceivedFile } from '../received-file.ts'
import { openUrl } from './open-url.ts'

/** The file of a new asset. */
export interface FileToFetch {
  readonly scope: Scope
  readonly url: string
  /** Default: as its server names it. */
  readonly fileName: string | undefined
  /** Name of the content type. Default: the only one that accepts the file. */
  readonly type: string | undefined
}

/**
 * Fetches a file and stores its bytes while they arrive. A file that the content type or the quota
 * does not accept is refused as soon as that is known, and nothing of it is stored then. Errors:
 * those of `openUrl` and `receiveFile`; `invalid`, `quota_exceeded`; `too_many_requests`.
 */
export async function fetchFile(call: Call, file: FileToFetch): Promise<ReceivedFile> {
  const release = takeSlot(call)
  try {
    const opened = await openUrl(call, { repository: file.scope.repository, url: file.url })
    try {
      const { size } = opened
      const fileName = plainFileName(file.fileName ?? opened.fileName)
      const stream = () => checkedBytes(call, { ...file, ...opened, fileName })
      const received = await receiveFile(call, { stream, ...(size !== undefined && { size }) }, fileName)
      return await withText(call, received)
    } finally {
      opened.close()
    }
  } finally {
    release()
  }
}

function takeSlot({ shared, identity: { kind, id } }: Call): () => void {
  return takeSlots(shared, {
    own: [`fetch ${kind}:${id}`, limits.fetchesOfOne],
    all: ['fetch', limits.fetchesOfAll],
  })
}

interface ArrivingFile extends Omit<FileToFetch, 'fileName'> {
  readonly fileName: string
  readonly size: number | undefined
  readonly bytes: Bytes
}

/**
 * Bytes between two checks of the quota, for a response without a size. At twice, twice as much is
 * fetched in vain.
 */
const quotaEvery = 8 * 1024 ** 2

/** The bytes of a file, as long as its type and the quotas accept them. */
async function* checkedBytes(call: Call, file: ArrivingFile): AsyncGenerator<Uint8Array> {
  const { scope, size } = file
  await requireQuota(call, scope, size ?? 0)
  const chunks = file.bytes[Symbol.asyncIterator]()
  const head = await headOf(chunks)
  const maxBytes = await requireType(call, file, head)
  if (head.length > 0) yield head
  let length = head.length
  let charged = size ?? 0
  for await (const chunk of { [Symbol.asyncIterator]: () => chunks }) {
    length += chunk.length
    if (length > maxBytes) throw invalid([{ path: 'url', message: `has more than ${maxBytes} bytes` }])
    if (length > charged + quotaEvery) await requireQuota(call, scope, (charged = length))
    yield chunk
  }
}

function requireQuota(call: Call, { repository }: Scope, bytes: number): Promise<void> {
  return requireQuotaFor(call, repository.id, { bytes, versions: 1, items: 1 })
}

/** The first bytes, at least as many as determine the type if there are so many. */
async function headOf(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  const read: Uint8Array[] = []
  for (let length = 0; length < sniffedBytes;) {
    const step = await chunks.next()
    if (step.done) break
    read.push(step.value)
    length += step.value.length
  }
  return joined(read)
}

/** The most bytes that the type of a file accepts. Errors: `invalid` if it does not accept the file. */
async function requireType(
  call: Call,
  { scope, type: name, fileName, size }: ArrivingFile,
  head: Uint8Array,
): Promise<number> {
  const { mimeType } = await sniff(head.subarray(0, sniffedBytes), fileName)
  const asset = { mimeType, size: size ?? head.length }
  const { settings } = await assetTypeFor(call, { scope, name, asset, member: 'url' })
  return settings.maxBytes ?? Number.POSITIVE_INFINITY
}
