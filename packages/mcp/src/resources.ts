import {
  ResourceTemplate,
  type McpServer,
  type ReadResourceResult,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { bounds, shorten } from './bounded.ts'
import { contentNotice } from './call-result.ts'
import type { ToolCall } from './tool.ts'
import { itemView } from './tools/item-view.ts'
import { itemTemplates, schemaUri, styleGuideUri } from './uris.ts'

/** What a resource needs of a request. */
export type CallOf = (context: ServerContext) => ToolCall

/** Adds the items, the content types and the style guides as resources. */
export function addResources(server: McpServer, callOf: CallOf): void {
  for (const [name, template] of Object.entries(itemTemplates)) {
    const where = name === 'main' ? 'on main' : 'in a package'
    server.registerResource(
      name === 'main' ? 'item' : 'item-in-package',
      new ResourceTemplate(template, { list: undefined }),
      { title: `Item ${where}`, description: `An item ${where}`, mimeType: 'application/json' },
      async (uri, { repository, packageName, id }, context) => {
        const { api, options } = callOf(context)
        const branch = packageName === undefined ? {} : { packageName: textOf(packageName) }
        const item = await api.items.get({ configId: textOf(repository), id: textOf(id), ...branch }, options)
        return jsonResource(uri, { contentNotice, content: itemView(item) })
      },
    )
  }
  server.registerResource(
    'schema',
    new ResourceTemplate('quire://{repository}/schema', {
      list: async (context) => listed(callOf(context), { uriOf: schemaUri, title: 'Content types' }),
    }),
    {
      title: 'Content types',
      description: 'The content types of a repository',
      mimeType: 'application/json',
    },
    async (uri, variables, context) => {
      const { api, options } = callOf(context)
      const { settings } = await api.repositories.get({ id: textOf(variables['repository']) }, options)
      const { items, nextCursor } = await api.types.list({ limit: bounds.pageMost }, options)
      const allowed = items.filter(
        ({ name }) => settings.allowedTypes.length === 0 || settings.allowedTypes.includes(name),
      )
      const types = allowed.map(({ name, description, fields }) => ({ name, description, fields }))
      const { value } = shorten(types, bounds.excerpt)
      return jsonResource(uri, { contentNotice, content: { types: value }, nextCursor })
    },
  )
  server.registerResource(
    'style-guide',
    new ResourceTemplate('quire://{repository}/style-guide', {
      list: async (context) => listed(callOf(context), { uriOf: styleGuideUri, title: 'Style guide' }),
    }),
    {
      title: 'Style guide',
      description: 'How texts of a repository are to be written',
      mimeType: 'text/markdown',
    },
    async (uri, variables, context) => {
      const { api, options } = callOf(context)
      const { settings } = await api.repositories.get({ id: textOf(variables['repository']) }, options)
      const text = settings.styleGuide ?? ''
      return { contents: [{ uri: uri.href, mimeType: 'text/markdown', text }] }
    },
  )
}

async function listed(
  { api, options }: ToolCall,
  { uriOf, title }: { uriOf: (repository: string) => string; title: string },
) {
  const { items } = await api.repositories.list({ limit: bounds.pageMost }, options)
  return { resources: items.map(({ name }) => ({ uri: uriOf(name), name: `${title} of ${name}` })) }
}

function jsonResource(uri: URL, value: object): ReadResourceResult {
  return { contents: [{ uri: uri.href, mimeType: 'application/json', text: JSON.stringify(value) }] }
}

function textOf(variable: string | string[] | undefined): string {
  return decodeURIComponent(String(variable))
}
