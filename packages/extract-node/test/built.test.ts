import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Extraction } from '@quire/core/ports'
import { describe, expect, it } from 'vitest'
import { docx, outcomeOf } from './extract.ts'
import { pdfOfPages } from './pdf.ts'
import { entryOf, zipOf } from './zip.ts'

const index = join(import.meta.dirname, '../dist/index.js')
const isBuilt = existsSync(join(import.meta.dirname, '../dist/reading/process.js')) && existsSync(index)
const skipped = isBuilt ? '' : ' (skipped: npm run build makes it)'

/** The package as it is shipped, in which the reader process is a separate file. */
describe.skipIf(!isBuilt)(`the built package${skipped}`, () => {
  it('reads every kind of file', async () => {
    const built: { nodeExtraction: () => Extraction } = await import(pathToFileURL(index).href)
    const extraction = built.nodeExtraction()
    const encode = (text: string) => new TextEncoder().encode(text)
    const word = entryOf('word/document.xml', '<w:document><w:t>ink</w:t></w:document>')
    const ink = { text: 'ink' }
    expect(await outcomeOf(extraction, 'text/plain', encode('ink'))).toEqual(ink)
    expect(await outcomeOf(extraction, 'text/html', encode('<p>ink'))).toEqual(ink)
    expect(await outcomeOf(extraction, 'text/markdown', encode('# ink'))).toEqual(ink)
    expect(await outcomeOf(extraction, 'application/pdf', pdfOfPages([['ink']]))).toEqual(ink)
    expect(await outcomeOf(extraction, docx, zipOf([word]))).toEqual(ink)
  })
})
