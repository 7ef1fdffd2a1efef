// Lists the languages that text recognition has, or adds some: npm run languages [-- add <code> …]
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { addPackages } from './install.mjs'
import { ROOT } from './project.mjs'

const SCOPE = '@tesseract.js-data'
const FOLDER = join(ROOT, 'node_modules', SCOPE)
const USAGE = 'npm run languages [-- add <code> …], with codes such as dan or chi_sim'

const [command, ...codes] = process.argv.slice(2)
try {
  if (command === 'add') await add(codes)
  else if (command !== undefined) throw new Error(USAGE)
  process.stdout.write(`${listInstalled().join(' ')}\n`)
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

async function add(wanted) {
  const wrong = wanted.find(code => !/^[a-z]{3}(_[a-z]{3,4})?$/.test(code))
  if (wrong !== undefined || wanted.length === 0) throw new Error(wrong === undefined ? USAGE : `"${wrong}" is no language code: ${USAGE}`)
  await addPackages(wanted.map(code => `${SCOPE}/${code}`))
}

function listInstalled() {
  if (!existsSync(FOLDER)) return []
  return readdirSync(FOLDER)
    .filter(name => !name.startsWith('.'))
    .sort()
}
