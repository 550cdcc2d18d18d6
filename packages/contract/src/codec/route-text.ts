import type { AnswerForm, BodyForm, Method } from '../forms.ts'
import { onPackage } from '../on-package.ts'
import type { Route } from './route.ts'

/**
 * The routes of a table as dense text, because every client loads all of them. A paragraph is a
 * group: its name and what its paths begin with, then a line for each operation.
 *
 *     <operation> [<METHOD>] [<path>] [main] [<form of the body>] [><form of the response>]
 *
 * The method is GET, a body is JSON, and a response is only named if it is streamed. A path is below
 * `/api` and the beginning of the group, or begins with `//` and is complete. `*` at its end is the
 * name of the operation. With `{configId}` it is also on the branch of a package, unless it is only
 * on `main`. The operation `crud` stands for the five usual ones.
 */
export function routesOf(table: string): Readonly<Record<string, Readonly<Record<string, Route>>>> {
  const paragraphs = table.trim().replaceAll(crud, usual).split('\n\n')
  return Object.fromEntries(
    paragraphs.map((paragraph) => {
      const [head = '', ...lines] = paragraph.split('\n')
      const [group = '', beginning = ''] = head.split(' ')
      return [group, Object.fromEntries(lines.map((text) => routeOf(text, `/api${beginning}`)))]
    }),
  )
}

const crud = /^crud (.*)(\/\{\w+\})(.*)$/gm
const usual = 'list $1$3\nget $1$2$3\ncreate POST $1$3\nupdate PATCH $1$2$3\ndelete DELETE $1$2$3'

const parts = /^(\w+) ?([A-Z]+)? ?(\/(?=\/))?(\/\S*)? ?(main)? ?(\w+)?(?: >(\w+))?$/

function routeOf(text: string, beginning: string): [operation: string, route: Route] {
  const [, operation = '', method = 'GET', isWhole, own = '', main, body = 'json', answer] =
    parts.exec(text) ?? []
  const path = isWhole ? own : beginning + own.replace(/\*$/, operation)
  const packagePath = onPackage(path)
  const route: Route = {
    method: method as Method,
    path,
    ...(packagePath !== path && !main && { packagePath }),
    body: body as BodyForm,
    answer: answer as AnswerForm | undefined,
  }
  return [operation, route]
}
