import { contract, limits, type Site } from '@quire/contract'
import { PageNotFound } from '../../../delivery/sites/not-found-page.ts'
import { previewBytes } from '../../../delivery/sites/preview.ts'
import { sharedPolicy } from '../../../delivery/sites/served-file.ts'
import { mayCall, mayDo } from '../../../engine/access/permissions.ts'
import { valueOf } from '../../../engine/answer.ts'
import type { Call } from '../../../engine/call.ts'
import { escaped } from '../../../engine/html.ts'
import type { ServedBytes } from '../../../engine/served-bytes.ts'
import type { Stored } from '../../../ports/index.ts'

/** What the overview of a share link is about. */
interface SharedPackage {
  readonly link: Stored<'shareLink'>
  readonly found: Stored<'package'>
  /** How inputs name the branch of the package. */
  readonly at: { readonly configId: string; readonly packageName: string }
}

/** The first page of a share link, which leads to the others. It needs no script and no other host. */
export async function overviewPage(
  viewer: Call,
  { link, found: { name, description, state }, at }: SharedPackage,
): Promise<ServedBytes> {
  const { permissions } = viewer.identity
  const isMerged = state === 'merged'
  const mayPreview = !isMerged && mayCall(permissions, contract.sites.list.permission)
  const sites = mayPreview
    ? valueOf(await viewer.invoke('sites.list', { ...at, limit: limits.pageMost })).items
    : []
  const mayCompare = !isMerged && mayDo(permissions, 'packages.diff.view', { repositoryId: at.configId })
  const ends = new Date(link.expiresAt).toISOString()
  const about = description === '' ? '' : `<p>${escaped(description)}</p>`
  const status = isMerged ? 'These changes are merged.' : 'These changes are not published yet.'
  const html = plainPage(
    name,
    `${about}<p>${status}</p>
<ul>
${[...(mayCompare ? [changesLink] : []), ...sites.map(previewLink)].join('\n')}
</ul>
<p>This page works until <time datetime="${ends}">${ends.slice(0, 16).replace('T', ' ')} UTC</time>, unless it is revoked before.</p>`,
  )
  return previewBytes(html, { policy: sharedPolicy })
}

/** The error for a link that does not work: a page for browsers. */
export function noSuchLink(): PageNotFound {
  const message = 'This link has expired or was revoked. Ask for a new one.'
  return new PageNotFound(message, {
    html: plainPage('Not found', `<p>${message}</p>`),
    policy: sharedPolicy,
  })
}

function plainPage(title: string, body: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<style>
:root { color-scheme: light dark; }
body { margin: 8vh auto; padding: 0 1.25rem; max-width: 40rem; font: 1.0625rem/1.65 system-ui, sans-serif; overflow-wrap: anywhere; }
li { margin-block: 0.5rem; }
</style>
</head>
<body>
<main>
<h1 dir="auto">${escaped(title)}</h1>
${body}
</main>
</body>
</html>
`
}

const changesLink = '<li><a href="changes">What changes on the pages</a></li>'

function previewLink({ id, name }: Site): string {
  return `<li>Preview: <a href="sites/${encodeURIComponent(id)}/" dir="auto">${escaped(name)}</a></li>`
}
