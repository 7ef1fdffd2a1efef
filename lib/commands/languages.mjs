// Lists the OCR languages, including those in OCR_LANGUAGES_DIR, or adds some: npm run languages [-- add <code> …]
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { addPackages } from '../build/install.mjs'
import { ROOT } from '../build/project.mjs'

const SCOPE = '@tesseract.js-data'
const FOLDER = join(ROOT, 'node_modules', SCOPE)
const MODEL_FILE = /^([A-Za-z][A-Za-z0-9_]*)\.traineddata(\.gz)?$/
const NO_LANGUAGE = 'osd'
const USAGE = 'Usage: npm run languages [-- add <code> …], with codes such as dan or chi_sim'

const [command, ...codes] = process.argv.slice(2)
try {
  if (command === 'add') await add(codes)
  else if (command !== undefined) throw new Error(USAGE)
  process.stdout.write(`${listInstalled().join(' ')}\n`)
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

async function add(newCodes) {
  const invalidCode = newCodes.find(code => !/^[a-z]{3}(_[a-z]{3,4})?$/.test(code))
  if (invalidCode !== undefined || newCodes.length === 0)
    throw new Error(invalidCode === undefined ? USAGE : `"${invalidCode}" isn't a language code. ${USAGE}`)
  try {
    await addPackages(newCodes.map(code => `${SCOPE}/${code}`))
  } catch (error) {
    if (!/E404/.test(error.message)) throw error
    const missing = newCodes.filter(
      code =>
        error.message.includes(`${SCOPE}/${code}`) || error.message.includes(`${encodeURIComponent(SCOPE)}%2f${code}`),
    )
    const codeList = (missing.length > 0 ? missing : newCodes).join(', ')
    throw new Error(
      `The registry has no package for ${codeList}. Nothing was added. Set OCR_LANGUAGES_DIR to a folder of ` +
        `yours. Copy the model, such as ${missing[0] ?? newCodes[0]}.traineddata, into this folder. Models are at ` +
        'https://github.com/tesseract-ocr/tessdata_best and tessdata_fast.',
      { cause: error },
    )
  }
}

function listInstalled() {
  const customLanguages = listFolder(process.env.OCR_LANGUAGES_DIR).flatMap(name => MODEL_FILE.exec(name)?.[1] ?? [])
  return [...new Set([...listFolder(FOLDER), ...customLanguages])]
    .filter(name => !name.startsWith('.') && name !== NO_LANGUAGE)
    .sort((one, other) => (one < other ? -1 : 1))
}

function listFolder(folder) {
  try {
    return folder ? readdirSync(folder) : []
  } catch {
    return [] // Nothing is installed yet, or the start reports the problem with that folder.
  }
}
