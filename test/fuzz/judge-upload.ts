import { QuireError, type Endpoint } from '@quire/contract'
import { decodeResponse } from '@quire/contract/codec'
import type { HttpAnswer } from '../server/connection.ts'

/**
 * The fault in the successful answer to an upload, which consists of headers; undefined if there is
 * none.
 */
export function faultOfUpload(endpoint: Endpoint, answer: HttpAnswer): string | undefined {
  const { status, headers, body } = answer
  if (status !== endpoint.success) return `status ${status} instead of ${endpoint.success}`
  if (headers['tus-resumable'] !== '1.0.0') return 'a TUS answer without Tus-Resumable'
  if (body.length > 0) return 'a TUS answer with a body'
  const location = headers['location'] ?? ''
  if (endpoint.method === 'POST' && location !== `${endpoint.path}/${headers['quire-upload-id']}`)
    return 'a new upload without its Location'
  return faultOfValue(endpoint, answer)
}

function faultOfValue(endpoint: Endpoint, { status, headers }: HttpAnswer): string | undefined {
  try {
    const value = decodeResponse(endpoint, { status, header: (name) => headers[name] ?? null, text: '' })
    const [issue] = endpoint.output.safeParse(value).error?.issues ?? []
    return issue && `the headers do not fit their schema: ${issue.path.join('.')}: ${issue.message}`
  } catch (error) {
    if (error instanceof QuireError) return `the headers cannot be read: ${error.message}`
    throw error
  }
}
