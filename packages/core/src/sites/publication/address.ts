/** The file of a page in a folder of static files. */
export function pageFile(address: string): string {
  return address === '' ? 'index.html' : `${address}/index.html`
}

/**
 * The absolute address of a page (RFC 3986), all ASCII. It ends with a slash: that is what a host of static files answers for
 * `index.html` in a folder without sending the reader on.
 */
export function publicAddress(baseUrl: string, address: string): string {
  return `${rootOf(baseUrl)}${encodedFolder(address)}`
}

/** The absolute address of a file that is no page. */
export function publicFileAddress(baseUrl: string, file: string): string {
  return `${rootOf(baseUrl)}${encoded(file)}`
}

/** Ends with a slash. A query or a user's name in a base address is no place for pages. */
function rootOf(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl)
  return `${origin}${pathname.replace(/\/+$/, '')}/`
}

function encodedFolder(address: string): string {
  return address === '' ? '' : `${encoded(address)}/`
}

function encoded(address: string): string {
  return address.split('/').map(encodeURIComponent).join('/')
}
