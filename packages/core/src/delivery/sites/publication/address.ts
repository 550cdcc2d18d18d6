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

/** The address within the site that a path means. As with any host of static files, `index.html` in a folder is the folder, and slashes too many are one. */
export function addressAt(path: string): string {
  const parts = path.split('/').filter((part) => part !== '')
  return (parts.at(-1) === 'index.html' ? parts.slice(0, -1) : parts).join('/')
}

/** The absolute address of a file that is no page. */
export function publicFileAddress(baseUrl: string, file: string): string {
  return `${rootOf(baseUrl)}${encoded(file)}`
}

/** Where a base address is on its host: a path with a slash at its end. */
export function rootPath(baseUrl: string): string {
  return `${new URL(baseUrl).pathname.replace(/\/+$/, '')}/`
}

/** Ends with a slash. A query or a user's name in a base address is no place for pages. */
function rootOf(baseUrl: string): string {
  return `${new URL(baseUrl).origin}${rootPath(baseUrl)}`
}

function encodedFolder(address: string): string {
  return address === '' ? '' : `${encoded(address)}/`
}

function encoded(address: string): string {
  return address.split('/').map(encodeURIComponent).join('/')
}
