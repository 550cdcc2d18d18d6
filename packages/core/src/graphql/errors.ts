import { errorTable, QuireError } from '@quire/contract'
import { GraphQLError, type GraphQLFormattedError } from 'graphql'
import type { Call } from '../call/call.ts'
import { translateError } from '../call/errors.ts'

/** An error as it is answered: of an operation with its code, of anything else without what it says. */
export function formatted({ environment, requestId }: Call, error: GraphQLError): GraphQLFormattedError {
  const { originalError, locations, path } = error
  if (!originalError || originalError instanceof GraphQLError) return error.toJSON()
  const known = translateError(originalError, requestId)
  const where = { ...(locations && { locations }), ...(path && { path }) }
  if (!(known instanceof QuireError)) return { message: known.message, ...where }
  if (known.status >= 500)
    environment.log.write('error', 'graphql.failed', { requestId, cause: String(originalError.stack) })
  return {
    message: known.message || errorTable[known.code].message,
    ...where,
    extensions: extensionsOf(known),
  }
}

function extensionsOf({ code, issues, conflicts, details }: QuireError): Record<string, unknown> {
  return { code, ...(issues && { issues }), ...(conflicts && { conflicts }), ...(details && { details }) }
}
