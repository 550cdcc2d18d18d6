import { QuireError } from '@quire/contract'
import { TemplateFault } from './render/template-fault.ts'

/** What a caller is told of a page that was not rendered: `invalid_state` naming page, template and line. Throws anything else as it is. */
export function templateProblem(error: unknown): never {
  if (!(error instanceof TemplateFault)) throw error
  const { message, pageId, template, line, column } = error
  throw new QuireError('invalid_state', message, {
    details: { pageId, template, line, column },
    cause: error,
  })
}
