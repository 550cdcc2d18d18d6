import { page, table, tick } from './markdown.mjs'
import { titleOf } from './group-page.mjs'

/** The start page of the reference. */
export function indexPage(groups) {
  const rows = groups.map(([group, members]) => {
    const file = `${group.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.md`
    const { title, summary } = titleOf(group)
    return [`[${title}](${file})`, tick(`quire.${group}`), String(members.length), summary]
  })
  return page(
    { title: 'Reference', summary: 'Every operation of the API, in your process and over HTTP.', order: 30 },
    [
      'Every operation has the same name, input and result, whether you call the engine in your process, the client over HTTP,',
      'or the mock. In the examples, `quire` is any of the three; `$QUIRE` and `$TOKEN` in the curl commands are the URL of the',
      'service and an access token. Members in **bold** are required.',
    ].join('\n'),
    table(['group', 'object', 'operations', 'for'], rows),
    [
      'See also: [shapes](shapes.md) (the members of responses), [errors](errors.md), [permissions](permissions.md),',
      '[field kinds](field-kinds.md).',
    ].join('\n'),
  )
}
