// Type-checks each package on its own (the web ones without Node's types), and all tests in one program.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'

const projects = ['.', ...readdirSync('packages').map((name) => `packages/${name}`)].filter((folder) =>
  existsSync(`${folder}/tsconfig.json`),
)

function check(project) {
  return new Promise((resolve) => {
    const child = spawn('node_modules/.bin/tsc', ['-p', project, '--pretty', 'false'], { stdio: 'inherit' })
    child.on('close', resolve)
  })
}

const codes = await Promise.all(projects.map(check))
process.exitCode = codes.some((code) => code !== 0) ? 1 : 0
