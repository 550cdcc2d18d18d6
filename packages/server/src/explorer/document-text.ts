import { serverVersion } from '../version.ts'

/** The OpenAPI document as JSON text. Made when asked for: 150 ms that no start should wait for. */
export async function openApiText(baseUrl: string): Promise<string> {
  const { openApiDocument } = await import('@quire/contract/openapi')
  return JSON.stringify(openApiDocument({ baseUrl, version: serverVersion() }))
}
