import { fileLabelled, fileOf, type SentFile } from './files.ts'
import type { FuzzOperation } from './operations.ts'
import type { KnownUpload, Pool } from './pool.ts'
import type { Random } from './random.ts'

/** The bytes of a request. */
export interface Sending {
  /** The complete file. */
  readonly file?: SentFile | undefined
  /** The part of the file that is sent; undefined: no body. */
  readonly part?: Buffer | undefined
  /** The upload that the request names. */
  readonly upload?: KnownUpload | undefined
}

interface Source {
  readonly operation: FuzzOperation
  readonly random: Random
  readonly pool: Pool
}

/** Chooses the file of a request. For an upload, also chooses the next part. */
export function sendingOf({ operation, random, pool }: Source): Sending {
  const { body } = operation.endpoint
  if (body === 'tus') return uploadStep(operation, random, pool)
  const isOptional = body === 'jsonOrMultipart' || (body === 'message' && operation.body !== undefined)
  if (body !== 'multipart' && body !== 'file' && !isOptional) return {}
  return isOptional && random.chance(0.6) ? {} : whole(fileOf(random))
}

function whole(file: SentFile): Sending {
  return { file, part: file.bytes }
}

function uploadStep({ method }: FuzzOperation, random: Random, pool: Pool): Sending {
  if (method === 'POST') return beginning(fileOf(random), random)
  const upload = pool.uploads.pick(random)
  if (method !== 'PATCH') return { upload }
  const file = fileLabelled(upload?.label ?? '') ?? fileOf(random)
  const rest = file.bytes.subarray(upload?.offset ?? 0)
  return { upload, file, part: random.chance(0.7) ? rest : rest.subarray(0, random.below(rest.length + 1)) }
}

/** A new upload sends nothing, half of the file or all of it. */
function beginning(file: SentFile, random: Random): Sending {
  const half = file.bytes.subarray(0, Math.floor(file.bytes.length / 2))
  return { file, part: random.pick([undefined, undefined, half, file.bytes]) }
}
