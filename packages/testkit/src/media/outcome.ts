import { MediaRefused } from '@quire/core/ports'

/** How the making of a picture was refused; `made` when it was not. Any other error is thrown on: it would be a fault. */
export async function refusalOf(making: Promise<unknown>): Promise<MediaRefused['kind'] | 'made'> {
  try {
    await making
    return 'made'
  } catch (error) {
    if (error instanceof MediaRefused) return error.kind
    throw error
  }
}
