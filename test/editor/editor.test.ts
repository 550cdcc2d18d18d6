import { describe, expect, it } from 'vitest'
import { openEditor } from './language-service.ts'

const plain = "import { createClient } from './index.ts'\nconst quire = createClient({ baseUrl: '/' })\n"
const typed = `import { createClient } from './index.ts'
interface ContentTypes { article: { title?: string } }
const quire = createClient<ContentTypes>({ baseUrl: '/' })
`
const type = openEditor()

describe('an editor', () => {
  it(
    'shows what an operation does, its parameters, its errors and its permission',
    { timeout: 60_000 },
    () => {
      const shown = type(`${plain}quire.items.pub‸lish({ configId: 'magazine', id: 'CONT_1' })`).hover()
      expect(shown.split('\n')[0]).toBe(
        '(property) ItemsApi<AnyContent>.publish: (input: ItemsPublishInput, options?: CallOptions) => Promise<Item>',
      )
      expect(shown).toContain('Publish the head of an item.')
      expect(shown).toContain('`POST /api/items/{configId}/{id}/publish`')
      expect(shown).toContain('Permission: `items.publish` (also by locale).')
      expect(shown).toMatch(/@param input\.at .*When to do it/)
      expect(shown).toMatch(/@throws `not_publishable` - The item is not complete/)
    },
  )

  it.each([
    ['the type of any content', plain],
    ['content types', typed],
  ])('documents the members of an input, with %s', { timeout: 60_000 }, (_, program) => {
    const listed = type(`${program}quire.items.list({ configId: 'magazine', ‸ })`).completions()
    expect(listed.get('sort')).toContain('Comma-separated fields')
    expect(listed.get('include')).toContain('Reference fields')
    const published = type(`${program}quire.items.publish({ configId: 'magazine', ‸ })`).completions()
    expect(published.get('at')).toContain('When to do it')
  })

  it('documents the members of a result', { timeout: 60_000 }, () => {
    const found = type(`${plain}const { items } = await quire.packages.list({ repo: 'x' })\nitems[0]?.‸`)
    expect(found.completions().get('mergeAt')).toContain('when it will be merged')
  })
})
