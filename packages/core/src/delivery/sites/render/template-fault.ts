import { QuireError, type Item } from '@quire/contract'
import type { RenderableNode } from '../site-map.ts'

/** A position in a template; null where unknown. */
export interface TemplatePosition {
  readonly template: string | null
  readonly line: number | null
  readonly column: number | null
}

/**
 * A page cannot be rendered because of its templates. Says which page, where in which template, and
 * what is wrong.
 */
export class TemplateFault extends Error {
  override readonly name = 'TemplateFault'
  readonly pageId: string
  readonly pageName: string
  /** The address of the page within the site. */
  readonly path: string
  readonly template: string | null
  /** 1 is the first. */
  readonly line: number | null
  /** 1 is the first. */
  readonly column: number | null

  constructor(node: RenderableNode, position: TemplatePosition, problem: string) {
    super(
      `The page "${node.page.name}" at /${node.path} cannot be rendered: ${positionText(position)}${problem}.`,
    )
    this.pageId = node.page.id
    this.pageName = node.page.name
    this.path = node.path
    this.template = position.template
    this.line = position.line
    this.column = position.column
  }
}

function positionText({ template, line, column }: TemplatePosition): string {
  if (template === null) return ''
  return line === null
    ? `template "${template}": `
    : `template "${template}", line ${line}, column ${column}: `
}

/**
 * Throws a TemplateFault as `invalid_state` that names page, template and line. Throws any other
 * error unchanged.
 */
export function throwTemplateProblem(error: unknown): never {
  if (!(error instanceof TemplateFault)) throw error
  const { message, pageId, template, line, column } = error
  throw new QuireError('invalid_state', message, {
    details: { pageId, template, line, column },
    cause: error,
  })
}

/** The items and files that pages show. */
export interface RenderSource {
  /** Finds an item; null when it does not exist or is not visible. */
  item(id: string): Promise<Item | null>
  /**
   * Finds the file of an item or a rendition of it (`original`, `card`…): a path from the root of
   * the site (`assets/…`, not encoded), or an absolute URL (https:, data:); null when there is
   * none.
   */
  file(item: Item, rendition: string): Promise<string | null>
}
