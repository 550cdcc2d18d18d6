import { QuireError, type Item } from '@quire/contract'
import type { VisibleNode } from '../site-map.ts'

/** Where in which template; null where it is not known or there is none. */
export interface TemplatePosition {
  readonly template: string | null
  readonly line: number | null
  readonly column: number | null
}

/** A page that its templates do not give: says which page, where in which template, and what is wrong there. */
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

  constructor(node: VisibleNode, position: TemplatePosition, problem: string) {
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

/** What a caller is told of a page that was not rendered: `invalid_state` naming page, template and line. Throws anything else as it is. */
export function templateProblem(error: unknown): never {
  if (!(error instanceof TemplateFault)) throw error
  const { message, pageId, template, line, column } = error
  throw new QuireError('invalid_state', message, {
    details: { pageId, template, line, column },
    cause: error,
  })
}

/** What a page is rendered from, beside its site. */
export interface RenderSource {
  /** An item as the site shows it; null when it is not there or not shown. */
  item(id: string): Promise<Item | null>
  /**
   * Where the file of an item, or a rendition of it (`original`, `card`…), is found: a path from the root of the site (`assets/…`, not
   * encoded), or an absolute address (https:, data:); null when there is none.
   */
  file(item: Item, rendition: string): Promise<string | null>
}
