import { readFile } from 'node:fs/promises'
import { createClient } from '@quire/client'
import { importWordpress } from './import-wordpress.ts'
import { readWxr } from './read-wxr.ts'

const [file, configId] = process.argv.slice(2)
if (file === undefined || configId === undefined) throw new Error('Usage: start <export.xml> <repository>')

const api = createClient({
  baseUrl: process.env['QUIRE_URL'] ?? 'http://127.0.0.1:3000',
  auth: {
    clientId: process.env['QUIRE_CLIENT_ID'] ?? '',
    clientSecret: process.env['QUIRE_CLIENT_SECRET'] ?? '',
  },
})

async function load(url: string): Promise<Blob> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`)
  return response.blob()
}

const imported = await importWordpress({ api, configId, load }, readWxr(await readFile(file, 'utf8')))
for (const [type, { create, update, unchanged, refused }] of Object.entries(imported)) {
  process.stdout.write(`${type}: ${create} created, ${update} changed, ${unchanged} unchanged\n`)
  for (const { row, path, message } of refused) process.stdout.write(`  row ${row}: ${path} ${message}\n`)
}
