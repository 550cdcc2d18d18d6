import { escaped } from '../../engine/html.ts'
import type { HighlightedPage } from '../../ports/index.ts'

/** A page whose visible content a package changes. */
export interface DiffedPage {
  readonly name: string
  /** The path of the page after the change. */
  readonly path: string
  readonly change: 'create' | 'update' | 'delete' | 'move'
  /** The former path of a page that moved; null for others. */
  readonly oldPath: string | null
  readonly highlighted: HighlightedPage
}

/** The title and the package of a page diff document. */
interface PageDiffSubject {
  readonly title: string
  readonly packageName: string
}

/**
 * Creates an HTML document that shows how pages change: a list, then each page with its changes in
 * place, or before and after side by side. The document itself needs no script and no other host;
 * the pages may link to others. Each page is in a sandbox in which nothing runs. Cost: the text
 * contains each page three times.
 */
export function pageDiffDocument(pages: readonly DiffedPage[], about: PageDiffSubject): string {
  const title = escaped(about.title)
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${documentStyle}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p>Package <strong>${escaped(about.packageName)}</strong></p>
</header>
<main>
${pages.length === 0 ? '<p>No page changes.</p>' : `${contents(pages)}\n${legend}\n${pages.map(section).join('\n')}`}
</main>
</body>
</html>
`
}

/** Frames without a URL inherit the policy, so it applies to the pages too. */
const policy = "script-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'"

const changeLabels = { create: 'New page', update: 'Changed', delete: 'Deleted', move: 'Moved' } as const

const legend = `<aside aria-labelledby="legend">
<h2 id="legend">Marks</h2>
<ul class="legend">
<li><ins>Inserted</ins>: underlined on green; a block or a picture has a solid line around it.</li>
<li><del>Deleted</del>: struck through on red; a block or a picture has a dashed line around it.</li>
<li><span class="changed">Changed link</span>: a dotted line; its title names the old and the new address.</li>
</ul>
</aside>`

function contents(pages: readonly DiffedPage[]): string {
  const rows = pages.map((page, at) => {
    const link = `<a href="#page-${at + 1}">${escaped(page.name)}</a>`
    return `<li>${link} <code>${escaped(page.path)}</code> <span>${summary(page)}</span></li>`
  })
  return `<nav aria-labelledby="contents">
<h2 id="contents">Pages (${pages.length})</h2>
<ol>
${rows.join('\n')}
</ol>
</nav>`
}

function summary({ change, highlighted: { changes } }: DiffedPage): string {
  return `${changeLabels[change]}, ${changes === 1 ? '1 place differs' : `${changes} places differ`}`
}

function section(page: DiffedPage, at: number): string {
  const id = `page-${at + 1}`
  const from = page.oldPath === null ? '' : `<p>Was at <code>${escaped(page.oldPath)}</code></p>\n`
  return `<section id="${id}" aria-labelledby="${id}-name">
<h2 id="${id}-name">${escaped(page.name)}</h2>
<p><code>${escaped(page.path)}</code> ${summary(page)}</p>
${from}${choice(id, 'inline', 'In place')}
${choice(id, 'sides', 'Side by side')}
<div class="view inline">
${frame(`${page.name}, changes in place`, page.highlighted.inline)}
</div>
<div class="view sides">
<div><h3>Before</h3>${frame(`${page.name}, before`, page.highlighted.before)}</div>
<div><h3>After</h3>${frame(`${page.name}, after`, page.highlighted.after)}</div>
</div>
</section>`
}

function choice(id: string, view: 'inline' | 'sides', label: string): string {
  const checked = view === 'inline' ? ' checked' : ''
  return `<input type="radio" name="${id}-view" id="${id}-${view}" class="to-${view}"${checked}><label for="${id}-${view}">${label}</label>`
}

/** A document in a sandbox without scripts, forms, windows and origin. */
function frame(title: string, document: string): string {
  return `<div class="frame"><iframe sandbox="" loading="lazy" title="${escaped(title)}" srcdoc="${escaped(document)}"></iframe></div>`
}

/**
 * The style of the document, in light and dark, on narrow screens and on paper. Text has a contrast
 * of at least 4.5:1.
 */
const documentStyle = `
:root { color-scheme: light dark; --text: #1b1f24; --ground: #fff; --line: #8c959f; --link: #0a58ca; --in: #053d15; --in-ground: #d2f5da; --out: #7a0c14; --out-ground: #ffdcdc }
@media (prefers-color-scheme: dark) { :root { --text: #e6e9ee; --ground: #14171c; --line: #7b8490; --link: #8db9ff } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1rem; max-width: 100rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--ground) }
a { color: var(--link) }
h1, h2, h3, code { overflow-wrap: anywhere }
section { margin-top: 2rem; padding-top: 1rem; border-top: 1px solid var(--line) }
section > input { margin: 0 0.4rem 0.8rem 0 }
section > label { margin-right: 1.2rem }
input:focus-visible + label { outline: 2px solid var(--link); outline-offset: 3px }
.view { display: none }
.to-inline:checked ~ .inline { display: block }
.to-sides:checked ~ .sides { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem }
.sides h3 { margin: 0 0 0.4rem; font-size: 1rem }
.frame { height: 75vh; min-height: 15rem; resize: vertical; overflow: hidden; border: 1px solid var(--line); background: #fff }
iframe { display: block; width: 100%; height: 100%; border: 0; color-scheme: light }
.legend ins { color: var(--in); background: var(--in-ground); text-decoration: underline 2px #2b8a45 }
.legend del { color: var(--out); background: var(--out-ground); text-decoration: line-through 2px #d1383f }
.changed { outline: 2px dotted #8a63d2; outline-offset: 2px }
@media (max-width: 60rem) { .to-sides:checked ~ .sides { grid-template-columns: 1fr } }
@media print { .frame { height: 60rem } section { break-before: page } }
`
