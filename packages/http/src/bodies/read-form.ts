import type { Route } from '@quire/contract/codec'
import type { readMultipart } from './multipart.ts'

/** Decodes a form as `readMultipart`, whose parser is loaded with the first form, not on start. */
export async function readForm(route: Route, form: Parameters<typeof readMultipart>[1]): Promise<unknown> {
  const multipart = await import('./multipart.ts')
  return multipart.readMultipart(route, form)
}
