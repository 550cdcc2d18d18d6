import { openAsBlob } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@quire/client'
import { pictureDesk } from './picture-desk.ts'
import { openService } from './service.ts'

const demo = fileURLToPath(new URL('../../../packages/testkit/media/photo.jpg', import.meta.url))
const path = process.argv[2] ?? demo
const file = new File([await openAsBlob(path)], basename(path))

const folder = await mkdtemp(join(tmpdir(), 'quire-pictures-'))
const service = await openService({ folder })
try {
  await pictureDesk(createClient(service), { file, folder }, (line) => console.log(line))
} finally {
  await service.close()
  await rm(folder, { recursive: true })
}
