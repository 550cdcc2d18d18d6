import { toNextJsHandler } from '@quire/http'
import { hostAt } from '../handler.ts'

const { handler } = await hostAt(process.env['HOST_BASE_PATH'] ?? '')

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = toNextJsHandler(handler)
