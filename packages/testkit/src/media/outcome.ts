import { MediaRefused } from '@quire/core/ports'

/**
 * The reason why a picture was refused, or `made`. Rethrows any other error, which would be a bug.
 */
export async function refusalOf(making: Promise<unknown>): Promise<MediaRefused['kind'] | 'made'> {
  try {
    await making
    return 'made'
  } catch (error) {
    if (error instanceof MediaRefused) return error.kind
    throw error
  }
}
