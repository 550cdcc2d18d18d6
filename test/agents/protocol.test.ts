import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDesk, revisions, use, type Desk } from './desk.ts'

let desk: Desk

beforeAll(async () => {
  desk = await openDesk()
  for (const number of Array.from({ length: 60 }).keys()) {
    const fields = { title: `Article ${number}`, body: number === 7 ? 'ink '.repeat(10_000) : 'Oak galls' }
    await desk.api.items.create({
      repositoryId: 'magazine',
      type: 'article',
      name: `Article ${number}`,
      fields,
    })
  }
})
afterAll(() => desk.close())

describe.each(revisions)('the protocol of %s', (revision) => {
  it('says how to work, and warns of an account that may change main', async () => {
    const client = await desk.connect(revision)
    expect(client.getInstructions()).toContain('You work in packages')
    expect(client.getInstructions()).not.toContain('WARNING')
    const free = await desk.hire({ name: 'Free', branchOnly: false })
    expect((await desk.connect(revision, free)).getInstructions()).toContain('WARNING')
  })

  it('lists at most 15 tools in 16 KB, for one content type as for 500', async () => {
    const client = await desk.connect(revision)
    const { tools } = await client.listTools()
    const before = JSON.stringify(tools)
    expect(tools.length).toBeLessThanOrEqual(15)
    expect(before.length).toBeLessThanOrEqual(16 * 1024)
    for (const tool of tools)
      expect(tool).toMatchObject({
        title: expect.any(String),
        annotations: { readOnlyHint: expect.any(Boolean) },
      })
  })

  it('lists the content types as a resource, and reads an item by its address', async () => {
    const client = await desk.connect(revision)
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toContain('quire://magazine/schema')
    const { contents } = await client.readResource({ uri: 'quire://magazine/schema' })
    expect(JSON.stringify(contents)).toContain('article')
    const { about } = await use(client, 'search', { repository: 'magazine', limit: 1 })
    const [item] = (about['content'] as { items: { id: string; name: string }[] }).items
    const uri = `quire://magazine/items/${item?.id}`
    expect(JSON.stringify(await client.readResource({ uri }))).toContain(item?.name)
    const { links } = await use(client, 'draft', {
      repository: 'magazine',
      packageName: `linked/${revision}`,
      type: 'article',
      name: 'Linked',
    })
    expect(JSON.stringify(await client.readResource({ uri: String(links[0]) }))).toContain('Linked')
    await expect(client.readResource({ uri: 'quire://magazine/items/CONT_0' })).rejects.toThrow(
      /does not exist|no item/i,
    )
  })

  it('goes through a list page by page, and says what it left out', async () => {
    const client = await desk.connect(revision)
    const names = new Set<string>()
    let cursor: unknown
    do {
      const { about } = await use(client, 'search', {
        repository: 'magazine',
        limit: 25,
        ...(cursor !== undefined && { cursor }),
      })
      for (const { name } of (about['content'] as { items: { name: string }[] }).items) names.add(name)
      expect(about).toMatchObject({ count: 60 })
      cursor = about['nextCursor']
    } while (cursor !== undefined)
    expect(names.size).toBe(60)
  })

  it('cuts long texts, and reads on', async () => {
    const client = await desk.connect(revision)
    const slug = 'article-7'
    const whole = await use(client, 'read', { repository: 'magazine', slug })
    expect(JSON.stringify(whole.about).length).toBeLessThan(32_000)
    expect(whole.about).toMatchObject({
      content: { items: [{ cut: [{ path: 'fields.body', length: 40_000 }] }] },
    })
    const parts = await Promise.all(
      [0, 24_000].map(async (from) => {
        const { about } = await use(client, 'read', {
          repository: 'magazine',
          slug,
          path: 'fields.body',
          from,
        })
        return (about['content'] as { text: string }).text
      }),
    )
    expect(parts.join('')).toBe('ink '.repeat(10_000))
  })

  it('answers errors as texts that say what to do', async () => {
    const client = await desk.connect(revision)
    expect(await use(client, 'read', { repository: 'magazine' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('ids'),
    })
    expect(await use(client, 'read', { repository: 'none', slug: 'a' })).toMatchObject({
      isError: true,
      about: { error: 'not_found' },
    })
    expect(await use(client, 'search', { repository: 5 })).toMatchObject({
      isError: true,
      text: expect.stringContaining('repository'),
    })
    const draft = await use(client, 'draft', {
      repository: 'magazine',
      type: 'article',
      name: 'A',
      fields: { titel: 'x' },
    })
    expect(draft).toMatchObject({ isError: true, text: expect.stringContaining('titel') })
  })

  it('has prompts with the style guide', async () => {
    await desk.api.repositories.update({ id: 'magazine', settings: { styleGuide: 'Sentence case.' } })
    const client = await desk.connect(revision)
    const { prompts } = await client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual(['draft', 'translate', 'proofread', 'alternative-texts'])
    const args = { repository: 'magazine', type: 'article', topic: 'ink' }
    const { messages } = await client.getPrompt({ name: 'draft', arguments: args })
    expect(JSON.stringify(messages)).toMatch(/ink.*Sentence case/)
  })

  it('tells how far it is, and ends what is cancelled', async () => {
    const client = await desk.connect(revision)
    await use(client, 'draft', {
      repository: 'magazine',
      packageName: `compare-${revision}`,
      type: 'article',
      name: 'New',
    })
    const args = { repository: 'magazine', packageName: `compare-${revision}`, pages: true }
    const steps: unknown[] = []
    await client.callTool({ name: 'compare', arguments: args }, { onprogress: (step) => steps.push(step) })
    expect(steps).toMatchObject([
      { progress: 1, total: 2 },
      { progress: 2, total: 2 },
    ])
    const leaving = new AbortController()
    const call = client.callTool({ name: 'compare', arguments: args }, { signal: leaving.signal })
    leaving.abort()
    await expect(call).rejects.toThrow(/abort/i)
    expect((await client.listTools()).tools).not.toEqual([])
  })
})

describe('the tools', () => {
  it('are the same with 500 content types', async () => {
    const list = async () => JSON.stringify((await (await desk.connect()).listTools()).tools)
    const before = await list()
    for (const number of Array.from({ length: 499 }).keys())
      await desk.api.types.create({ name: `type-${number}`, displayName: `Type ${number}`, fields: [] })
    expect(await list()).toBe(before)
    const client = await desk.connect()
    const { about, text } = await use(client, 'schema', {})
    expect(about).toMatchObject({ count: 500, nextCursor: expect.any(String) })
    expect(text.length).toBeLessThan(32_000)
    expect(await use(client, 'schema', { types: ['article'] })).toMatchObject({
      about: { content: { types: [{ name: 'article', fields: [{ name: 'title' }, { name: 'body' }] }] } },
    })
  })
})
