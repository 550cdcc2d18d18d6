import { escaped } from '../../../engine/html.ts'
import { relativeLink } from '../render/relative-link.ts'
import { publicAddress } from './address.ts'

/** A page that moved: `from` and `to` are addresses within the site. */
export interface Redirect {
  readonly from: string
  readonly to: string
}

/**
 * The HTML file at an address where a page was, for hosts that only serve files: it leads on at once, and says to search engines
 * where the page is now. Links are relative, so that they hold wherever the site is; with a base address the canonical one is absolute.
 */
export function redirectPage({ from, to }: Redirect, baseUrl: string): string {
  const target = escaped(relativeLink(from, to))
  const canonical = baseUrl === '' ? target : escaped(publicAddress(baseUrl, to))
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<title>This page has moved</title>',
    `<link rel="canonical" href="${canonical}">`,
    `<meta http-equiv="refresh" content="0; url=${target}">`,
    '</head>',
    '<body>',
    `<p>This page has moved: <a href="${target}">go to where it is now</a>.</p>`,
    '</body>',
    '</html>',
    '',
  ].join('\n')
}
