import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import JSZip from 'jszip'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isMissing } from '../browser/chromium.ts'
import { lookAt } from './views.ts'
import { pressUntil } from './ways.ts'
import { type ConsoleWorld, everything, startConsole } from './world.ts'

vi.setConfig({ testTimeout: 120_000 })

const configId = 'magazine'

const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const text = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })

describe.skipIf(isMissing)('assets in the console', () => {
  let world: ConsoleWorld
  let editor: Page
  let folder: string
  const at = (path: string) => `${world.url}/console/magazine${path}`
  const cover = () => world.api.items.getBySlug({ configId, slug: 'cover-ink-that-remembers' })
  const named = async (name: string) =>
    (await world.api.items.list({ configId, filter: { name } })).items.map(({ id }) => id)
  const open = async (page: Page, path: string, heading: string) => {
    await page.goto(at(path))
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-console-files-'))
    world = await startConsole()
    await world.api.types.create({
      name: 'attachment',
      settings: { isAsset: true, mimeTypes: ['application/*', 'text/*'] },
      fields: [],
    })
    await world.api.renditionPresets.create({
      configId,
      name: 'banner',
      width: 900,
      height: 150,
      fit: 'cover',
    })
    editor = await world.as(everything)
    editor.setDefaultTimeout(15_000)
  }, 240_000)

  afterAll(async () => {
    await world.stop()
    await rm(folder, { recursive: true, force: true })
  }, 60_000)

  it('shows files as pictures, finds them and filters by type and folder', async () => {
    await open(editor, '/assets', 'Files')
    await expect.poll(() => editor.locator('.tile img').count()).toBeGreaterThan(10)
    const isDrawn = () => editor.evaluate<boolean>(`document.querySelector('.tile img').naturalWidth > 0`)
    await expect.poll(isDrawn).toBe(true)
    await editor.getByLabel('Search').fill('oak gall')
    await editor.keyboard.press('Enter')
    await expect.poll(() => editor.locator('.tile').count()).toBe(1)
    await editor.getByLabel('Type').selectOption('attachment')
    await editor.getByText('No file matches.').waitFor()
  })

  it('uploads many at once by choosing and by dropping, each into the folder that is shown', async () => {
    const letters = await world.api.folders.create({ configId, name: 'Letters' })
    await open(editor, '/assets', 'Files')
    await editor.getByLabel('Folder').selectOption('Letters')
    await editor.getByText('No file matches.').waitFor()
    await editor
      .locator('input[type=file]')
      .setInputFiles([text('one.txt'), text('two.txt'), text('three.txt')])
    await expect.poll(() => editor.locator('.tile').count()).toBe(3)
    const dropped = await editor.evaluateHandle(`{
      const transfer = new DataTransfer()
      transfer.items.add(new File(['four'], 'four.txt', { type: 'text/plain' }))
      transfer
    }`)
    await editor.locator('.drop').dispatchEvent('drop', { dataTransfer: dropped })
    await expect.poll(() => editor.locator('.tile').count()).toBe(4)
    const [id = ''] = await named('four')
    expect(await world.api.items.get({ configId, id })).toMatchObject({
      folderId: letters.id,
      type: 'attachment',
    })
    // What it became is one step away.
    await editor.getByRole('region', { name: 'Uploads' }).getByRole('link', { name: 'four.txt' }).click()
    await editor.getByRole('heading', { level: 1, name: 'four', exact: true }).waitFor()
  })

  it('pauses an upload, goes on in another view and after a reload, and sends nothing twice', async () => {
    const page = await world.as(everything)
    const network = await page.context().newCDPSession(page)
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: 2_000_000,
    })
    let sent = 0
    page.on('request', (request) => {
      if (request.method() === 'PATCH' && request.url().includes('/api/items/upload/'))
        sent += Number(request.headers()['upload-offset'] === '0')
    })
    const bytes = randomBytes(9_000_000)
    const file = join(folder, 'long.bin')
    await writeFile(file, bytes)
    const share = () => page.evaluate<number>(`document.querySelector('progress')?.value ?? 0`)
    await open(page, '/assets', 'Files')
    await page.locator('input[type=file]').setInputFiles(file)
    await expect.poll(share, { timeout: 15_000 }).toBeGreaterThan(1_000_000)
    await page.getByRole('button', { name: 'Pause long.bin' }).click()
    await page.getByText('Paused').waitFor()
    const before = await share()
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(await share()).toBe(before)
    await page.getByRole('button', { name: 'Resume long.bin' }).click()
    await expect.poll(share, { timeout: 15_000 }).toBeGreaterThan(before)
    // Another view does not stop it.
    await page.getByRole('link', { name: 'Folders' }).click()
    await page.getByRole('heading', { level: 1, name: 'Folders' }).waitFor()
    await page.getByRole('link', { name: 'Files' }).click()
    await page.getByRole('button', { name: 'Pause long.bin' }).click()
    const atReload = await share()
    // The browser forgets the file, the service does not forget its bytes.
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.getByLabel('Upload of long.bin').count()).toBe(0)
    await page.locator('input[type=file]').setInputFiles(file)
    await expect.poll(share).toBeGreaterThanOrEqual(atReload)
    await page.getByRole('region', { name: 'Uploads' }).getByText('Done').waitFor({ timeout: 30_000 })
    expect(sent).toBe(1)
    const ids = await named('long')
    expect(ids).toHaveLength(1)
    const original = await world.api.assets.get({ configId, assetId: ids[0] ?? '', rendition: 'original' })
    expect(Buffer.from(await original.bytes()).equals(bytes)).toBe(true)
  })

  it('says why an upload failed, and does not keep the others from it', async () => {
    await open(editor, '/assets?type=picture', 'Files')
    await editor
      .locator('input[type=file]')
      .setInputFiles([text('no-picture.txt'), { name: 'dot.png', mimeType: 'image/png', buffer: dot }])
    const uploads = editor.getByRole('region', { name: 'Uploads' })
    await uploads.getByText('Stopped').waitFor()
    await uploads.getByText('Done').waitFor()
    await uploads.getByRole('alert').waitFor()
    await editor.getByRole('button', { name: 'Remove no-picture.txt from this list' }).click()
    await expect.poll(() => uploads.getByText('no-picture.txt').count()).toBe(0)
  })

  it('sets the focal point by a click and by keyboard, and shows what presets make of it', async () => {
    const { id, currentVersion } = await cover()
    await open(editor, `/content/${id}/file`, (await cover()).name ?? '')
    const position = () =>
      editor.evaluate<string>(
        `getComputedStyle([...document.querySelectorAll('.crop')].at(-1)).objectPosition`,
      )
    await expect.poll(() => editor.locator('.crop').count()).toBe(2)
    expect(await position()).toBe('50% 50%')
    const picture = editor.locator('.focal img')
    await expect
      .poll(() => editor.evaluate<boolean>(`document.querySelector('.focal img').clientHeight > 100`))
      .toBe(true)
    const { width, height } = (await picture.boundingBox()) ?? { width: 0, height: 0 }
    await picture.click({ position: { x: width * 0.25, y: height * 0.02 } })
    await expect.poll(() => position()).toBe('50% 0%')
    await editor.getByLabel('From the left').focus()
    await editor.keyboard.press('ArrowRight')
    await pressUntil(editor, 'Save the focal point')
    await editor.keyboard.press('Enter')
    await editor.getByText('Nothing has changed.').waitFor()
    const { asset, currentVersion: saved } = await cover()
    expect(asset?.focalPoint).toEqual({ x: 0.26, y: 0.02 })
    expect(saved).toBe((currentVersion ?? 0) + 1)
  })

  it('replaces a file in a next version, which refers to the same item', async () => {
    const [id = ''] = await named('one')
    await open(editor, `/content/${id}/file`, 'one')
    await editor.locator('input[type=file]').setInputFiles(text('uno.txt'))
    await editor.getByRole('definition').filter({ hasText: 'uno.txt' }).waitFor()
    expect(await world.api.items.get({ configId, id })).toMatchObject({
      currentVersion: 2,
      originalFileName: 'uno.txt',
    })
    await editor.getByRole('link', { name: 'Versions' }).click()
    await editor.getByText('Version 2').waitFor()
    await editor.getByRole('link', { name: 'Where used' }).click()
    await editor.getByText('No item refers to it.').waitFor()
  })

  it('packs chosen files into one archive', async () => {
    await open(editor, '/assets?type=attachment', 'Files')
    for (const name of ['two', 'three']) await editor.getByLabel(`Choose “${name}”`).check()
    const [download] = await Promise.all([
      editor.waitForEvent('download'),
      editor.getByRole('button', { name: 'Download as ZIP' }).click(),
    ])
    const zip = await JSZip.loadAsync(await readFile(await download.path()))
    const names = Object.values(zip.files).flatMap(({ name, dir }) => (dir ? [] : [name]))
    expect(names.toSorted()).toEqual(['Letters/three.txt', 'Letters/two.txt'])
  })

  it('offers nothing that the person may not do', async () => {
    const reader = await world.as(['items.read', 'assets.read', 'admin.types.view'])
    const { id } = await cover()
    await open(reader, '/assets', 'Files')
    await reader.locator('.tile').first().waitFor()
    expect(await reader.locator('input[type=file]').count()).toBe(0)
    await reader.getByText('assets.upload').waitFor()
    await reader.getByRole('checkbox').first().check()
    expect(await reader.getByRole('button', { name: 'Download as ZIP' }).isDisabled()).toBe(true)
    await reader.goto(at(`/content/${id}/file`))
    await reader.getByText('assets.upload').waitFor()
    expect(await reader.getByRole('button', { name: 'Save the focal point' }).isDisabled()).toBe(true)
  })

  it('follows WCAG 2.2 AA in every view, light and dark, wide and narrow, in both languages', async () => {
    const { id } = await cover()
    await lookAt(editor, { assets: '/assets', file: `/content/${id}/file` }, at)
    expect(await editor.title()).toContain('Quire')
  })

  it('logged no error, and sent nothing to other origins', () => {
    expect(world.faults).toEqual([])
  })
})
