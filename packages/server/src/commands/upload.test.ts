import { mkdirSync, openAsBlob, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createClient } from '@quire/client'
import { beforeEach, describe, expect, it } from 'vitest'
import { aFolder, inFolder, quire, serveFolder } from '../../test/cli.ts'
import { memoryOf, openUploadMemory, type UploadMemory } from './upload-memory.ts'

let data = ''
let picture = ''
let words = ''
beforeEach(async () => {
  data = aFolder()
  await inFolder(data, async (_, api) => {
    await api.repositories.create({ name: 'magazine' })
    await api.types.create({ name: 'file', settings: { isAsset: true } })
  })
  const files = join(data, 'mine')
  mkdirSync(files)
  picture = join(files, 'Oak galls.txt')
  words = join(files, 'words.txt')
  writeFileSync(picture, 'x'.repeat(3_000_000))
  writeFileSync(words, 'some words')
})

const into = ['--repository', 'magazine']

describe('quire upload', () => {
  it('creates assets in a data folder, and prints a line for each', async () => {
    const { code, stdout } = await quire(['upload', picture, words, ...into, '--data', data])
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /uploaded .*Oak galls\.txt CONT_\w+\nuploaded .*words\.txt CONT_\w+\n2 uploaded, 0 failed\.\n/,
    )
    await inFolder(data, async (_, api) => {
      const { items } = await api.items.list({ configId: 'magazine', sort: 'name' })
      expect(items.map(({ originalFileName, asset }) => [originalFileName, asset?.size])).toEqual([
        ['Oak galls.txt', 3_000_000],
        ['words.txt', 10],
      ])
    })
  })

  it('sends nothing when a file is missing, and reports rejected files', async () => {
    const absent = await quire(['upload', words, 'nowhere.txt', ...into, '--data', data])
    expect([absent.code, absent.stderr]).toEqual([
      1,
      expect.stringContaining('There is no file nowhere.txt.'),
    ])
    const refused = await quire(['upload', words, '--repository', 'other', '--data', data])
    expect([refused.code, refused.stdout]).toEqual([
      1,
      expect.stringMatching(/failed .*words\.txt: There is no repository/),
    ])
    await inFolder(data, async (_, api) => {
      expect((await api.items.list({ configId: 'magazine' })).count).toBe(0)
    })
  })

  it('resumes an interrupted upload', async () => {
    const { begin, upload, uploadOf, memoryFile } = await service()
    const uploadId = await begin(picture)
    const { code, stdout } = await upload(picture)
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 uploaded, 0 failed.')])
    const { itemId } = await uploadOf(uploadId)
    expect(stdout).toContain(String(itemId))
    expect(JSON.parse(readFileSync(memoryFile, 'utf8'))).toEqual({})
  })

  it('does not confuse files of the same name, size and date in different folders', async () => {
    const { begin, upload, uploadOf } = await service()
    const other = join(data, 'other', 'Oak galls.txt')
    mkdirSync(dirname(other))
    // Equal at both ends, so that only their paths distinguish them.
    const edge = 'x'.repeat(100_000)
    writeFileSync(other, `${edge}${'y'.repeat(2_800_000)}${edge}`)
    utimesSync(other, 1_700_000_000, 1_700_000_000)
    utimesSync(picture, 1_700_000_000, 1_700_000_000)
    const uploadId = await begin(picture)
    expect((await upload(other)).code).toBe(0)
    expect(await uploadOf(uploadId)).toMatchObject({ offset: 1_000_000, itemId: null })
  })
})

describe('the memory of uploads', () => {
  it('is separate for each path and service', () => {
    const stored = new Map<string, string>()
    const memory: UploadMemory = {
      getItem: (key) => stored.get(key) ?? null,
      setItem: (key, id) => void stored.set(key, id),
      removeItem: (key) => void stored.delete(key),
    }
    const here = memoryOf(memory, { url: 'https://here.test/', path: '/a/x.jpg' })
    here.setItem('key', 'UPLD_1')
    const found = (url: string, path: string) => memoryOf(memory, { url, path }).getItem('key')
    expect(found('https://here.test', '/a/x.jpg')).toBe('UPLD_1')
    expect(found('https://here.test', '/b/x.jpg')).toBeNull()
    expect(found('https://there.test', '/a/x.jpg')).toBeNull()
    here.removeItem('key')
    expect(stored.size).toBe(0)
  })
})

/** A service on the data folder, with uploads that this process starts and the command resumes. */
async function service() {
  const { url } = await serveFolder(data)
  const auth = JSON.parse(readFileSync(join(data, 'admin.json'), 'utf8'))
  const client = createClient({ baseUrl: url, auth })
  const cache = join(data, 'cache')
  const memoryFile = join(cache, 'quire', 'uploads.json')
  const flags = ['--url', url, '--client-id', auth.clientId, '--client-secret', auth.clientSecret]

  /**
   * Sends the first million bytes, as an interrupted command would, and returns the id of the
   * upload.
   */
  async function begin(path: string): Promise<string> {
    const file = new File([await openAsBlob(path)], basename(path), {
      lastModified: Math.floor(statSync(path).mtimeMs),
    })
    const abort = new AbortController()
    const cut = client.assets.upload(file, {
      repositoryId: 'magazine',
      memory: memoryOf(await openUploadMemory(memoryFile), { url, path }),
      pieceBytes: 1_000_000,
      onProgress: ({ sent }) => sent > 0 && abort.abort(),
      signal: abort.signal,
    })
    await expect(cut).rejects.toThrow('aborted')
    return String(Object.values(JSON.parse(readFileSync(memoryFile, 'utf8')))[0])
  }

  return {
    begin,
    memoryFile,
    upload: (path: string) => quire(['upload', path, ...into, ...flags], { XDG_CACHE_HOME: cache }),
    uploadOf: (uploadId: string) => client.uploads.get({ uploadId }),
  }
}
