import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { drawProcess, pictureFile } from './files.ts'

mkdirSync(dirname(pictureFile), { recursive: true })
writeFileSync(pictureFile, drawProcess())
console.log(`Wrote ${pictureFile}`)
