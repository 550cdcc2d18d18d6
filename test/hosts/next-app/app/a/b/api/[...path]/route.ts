import { toNextJsHandler } from '@quire/http'
import { hostAt } from '../../../../handler.ts'

const { handler } = await hostAt('/a/b/api')

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = toNextJsHandler(handler)
