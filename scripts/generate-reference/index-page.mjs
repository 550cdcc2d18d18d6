import { page, table, tick } from './markdown.mjs'
import { titleOf } from './group-page.mjs'

/** The entry of the reference. */
export function indexPage(groups) {
  const rows = groups.map(([group, members]) => {
    const file = `${group.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.md`
    const { title, summary } = titleOf(group)
    return [`[${title}](${file})`, tick(`quire.${group}`), String(members.length), summary]
  })
  return page(
    { title: 'Reference', summary: 'Every operation of the API, in your process and over HTTP.', order: 30 },
    [
      'Every operation has one name, one input and one answer, whether you call the engine in your process, the client over',
      'HTTP, or the mock. `quire` in the examples is any of the three; `$QUIRE` and `$TOKEN` in the curl lines are the address of',
      'the service and an access token. Members in **bold** are required.',
    ].join('\n'),
    table(['group', 'object', 'operations', 'for'], rows),
    [
      'Beside them: [shapes](shapes.md) (what is answered), [errors](errors.md), [permissions](permissions.md),',
      '[field kinds](field-kinds.md).',
    ].join('\n'),
  )
}
